import { LIMITS } from "../catalogue/limits.ts";
import { isSingleSpaceless, queryWords } from "../mail/search-words.ts";
import type { SearchField, SearchTerm } from "../ports/storage.ts";

/** Further terms are ignored. */
export const QUERY_MAX_TERMS = 32;

/** The filters of a query. */
export interface SearchFilters {
  /** Labels that must all be present. */
  labels: string[];
  has_attachment: boolean;
  /** Only messages created before this time; ISO 8601 UTC. */
  before: string | null;
  /** Only messages created at or after this time; ISO 8601 UTC. */
  after: string | null;
}

const SEARCH_FIELD_OF: Record<string, SearchField> = { from: "sender", to: "recipients", subject: "subject" };

/** An optional operator, then a quoted phrase (the closing quote may be missing) or a word. */
const QUERY_PART = /(?:(from|to|subject|label|has|before|after):)?(?:"([^"]*)(?:"|$)|([^\s"]+))/giu;

/**
 * Parses a search query: words, `"quoted phrases"`, `from:`, `to:`, `subject:`, `label:`, `has:attachment`,
 * `before:` and `after:` with a date or time. All terms must match; a word that splits into several matches
 * as a phrase; the last word is a prefix if it is unquoted and has three letters. An operator with an
 * unusable value is read as plain words. A query with only punctuation has no terms and no filters.
 */
export function parseQuery(q: string): { terms: SearchTerm[]; filters: SearchFilters } {
  const terms: SearchTerm[] = [];
  const filters: SearchFilters = { labels: [], has_attachment: false, before: null, after: null };
  const text = q.slice(0, LIMITS.query_chars);
  let lastIsOpen = false;

  for (const [whole, name, phrase, word] of text.matchAll(QUERY_PART)) {
    if (terms.length >= QUERY_MAX_TERMS) break;
    const operator = name?.toLowerCase();
    const value = phrase ?? word ?? "";
    if (operator !== undefined && applyFilter(filters, operator, value)) {
      lastIsOpen = false;
      continue;
    }
    const field = operator === undefined ? undefined : SEARCH_FIELD_OF[operator];
    const words = queryWords(operator !== undefined && field === undefined ? whole : value);
    if (words.length === 0) continue;
    // A single character of a script without spaces is a prefix of its pairs.
    terms.push({
      words,
      prefix: isSingleSpaceless(words[0] as string) && words.length === 1,
      field: field ?? null,
    });
    lastIsOpen = phrase === undefined;
  }

  const last = terms.at(-1);
  if (last !== undefined && lastIsOpen && canBePrefix(last.words.at(-1) as string)) last.prefix = true;
  return { terms, filters };
}

/** Shorter prefixes match so many words that a large mailbox would be slow. Hangul syllables carry more. */
const PREFIX_MIN_CHARS = 3;
const PREFIX_MIN_SYLLABLES = 2;

function canBePrefix(word: string): boolean {
  if (isSingleSpaceless(word)) return true;
  return word.length >= (/\p{Script=Hangul}/u.test(word) ? PREFIX_MIN_SYLLABLES : PREFIX_MIN_CHARS);
}

function applyFilter(filters: SearchFilters, operator: string, value: string): boolean {
  switch (operator) {
    case "label":
      if (value === "") return false;
      filters.labels.push(value.toLowerCase());
      return true;
    case "has":
      if (!/^attachments?$/i.test(value)) return false;
      filters.has_attachment = true;
      return true;
    case "before":
    case "after": {
      const time = parseTime(value);
      if (time === null) return false;
      filters[operator] = narrower(operator, filters[operator], time);
      return true;
    }
    default:
      return false;
  }
}

function narrower(operator: "before" | "after", known: string | null, time: string): string {
  if (known === null) return time;
  const earlier = known < time;
  return earlier === (operator === "before") ? known : time;
}

/** Parses a date (its start in UTC) or a time with an offset to ISO 8601 in UTC. */
function parseTime(text: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/i.test(text))
    return null;
  const time = Date.parse(text.toUpperCase());
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
