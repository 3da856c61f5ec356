import { limits } from "../catalogue/limits.ts";
import { isSingleSpaceless, queryWordsOf } from "../mail/search-words.ts";
import type { SearchField, SearchTerm } from "../ports/storage.ts";

/** More things than this to match are left out. */
export const QUERY_MAX_TERMS = 32;

/** What a query asks beyond words (decisions, section 6). */
export interface SearchFilters {
  /** Labels that all must be there. */
  labels: string[];
  has_attachment: boolean;
  /** Only messages made before this moment; ISO 8601 UTC. */
  before: string | null;
  /** Only messages made at or after this moment; ISO 8601 UTC. */
  after: string | null;
}

const fieldOf: Record<string, SearchField> = { from: "sender", to: "recipients", subject: "subject" };

/**
 * An operator's name, if any, and then a phrase in quotes (the closing one may be missing) or a word up to
 * the next space.
 */
const piece = /(?:(from|to|subject|label|has|before|after):)?(?:"([^"]*)(?:"|$)|([^\s"]+))/giu;

/**
 * Reads a search query: words, `"quoted phrases"`, `from:`, `to:`, `subject:`, `label:`, `has:attachment`,
 * `before:` and `after:` with a date or a moment. All terms must match; a word that falls into several parts
 * matches as a phrase; the last word, if it stands in no quotes and has three letters, may go on. An operator
 * with a value that it can't use is read as plain words. A query of nothing but punctuation has no terms and
 * no filters.
 */
export function parseQuery(q: string): { terms: SearchTerm[]; filters: SearchFilters } {
  const terms: SearchTerm[] = [];
  const filters: SearchFilters = { labels: [], has_attachment: false, before: null, after: null };
  const text = q.slice(0, limits.query_chars);
  let lastIsOpen = false;

  for (const [whole, name, phrase, word] of text.matchAll(piece)) {
    if (terms.length >= QUERY_MAX_TERMS) break;
    const operator = name?.toLowerCase();
    const value = phrase ?? word ?? "";
    if (operator !== undefined && takeFilter(filters, operator, value)) {
      lastIsOpen = false;
      continue;
    }
    const field = operator === undefined ? undefined : fieldOf[operator];
    const words = queryWordsOf(operator !== undefined && field === undefined ? whole : value);
    if (words.length === 0) continue;
    // One character of such a script is the beginning of its pairs.
    terms.push({
      words,
      prefix: isSingleSpaceless(words[0] as string) && words.length === 1,
      field: field ?? null,
    });
    lastIsOpen = phrase === undefined;
  }

  const last = terms.at(-1);
  if (last !== undefined && lastIsOpen && mayGoOn(last.words.at(-1) as string)) last.prefix = true;
  return { terms, filters };
}

/**
 * Shorter beginnings belong to so many words that a large mailbox would take long to look them all up. A
 * syllable is a whole word's worth.
 */
const PREFIX_MIN_CHARS = 3;
const PREFIX_MIN_SYLLABLES = 2;

function mayGoOn(word: string): boolean {
  if (isSingleSpaceless(word)) return true;
  return word.length >= (/\p{Script=Hangul}/u.test(word) ? PREFIX_MIN_SYLLABLES : PREFIX_MIN_CHARS);
}

function takeFilter(filters: SearchFilters, operator: string, value: string): boolean {
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
      const moment = readMoment(value);
      if (moment === null) return false;
      filters[operator] = narrower(operator, filters[operator], moment);
      return true;
    }
    default:
      return false;
  }
}

function narrower(operator: "before" | "after", known: string | null, moment: string): string {
  if (known === null) return moment;
  const earlier = known < moment;
  return earlier === (operator === "before") ? known : moment;
}

/** A day (its beginning in UTC) or a moment with its offset, as ISO 8601 in UTC. */
function readMoment(text: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/i.test(text))
    return null;
  const time = Date.parse(text.toUpperCase());
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
