import { fail } from "../../catalogue/errors.ts";
import { isSingleSpaceless, queryWords, WORD_MAX_CHARS } from "../../mail/search-words.ts";
import { readTime } from "../../model/times.ts";
import type { SearchField, SearchTerm } from "../../ports/search.ts";

/** Words and phrases of one query. */
export const QUERY_MAX_TERMS = 32;
const MAX_SHOWN_CHARS = 60;

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
/** An operator without a value, which is read as a word. */
const ALONE = /^(?:from|to|subject|label|has|before|after):$/i;
const LABEL = /^[a-z0-9:_-]{1,64}$/;

/**
 * Parses a search query: words, `"quoted phrases"`, `from:`, `to:`, `subject:`, `label:`, `has:attachment`,
 * `before:` and `after:` with a date or time. All terms must match; a word that splits into several matches
 * as a phrase; the last word is a prefix if it is unquoted and has three letters. A query with only punctuation has no
 * terms and no filters. Fails with `invalid_query` for more than 32 words and phrases, a word that is too long for the
 * index, and an operator with a value that it can't use.
 */
export function parseQuery(q: string): { terms: SearchTerm[]; filters: SearchFilters } {
  const terms: SearchTerm[] = [];
  const filters: SearchFilters = { labels: [], has_attachment: false, before: null, after: null };
  let lastIsOpen = false;

  for (const [whole, name, phrase, word] of q.matchAll(QUERY_PART)) {
    const operator = name?.toLowerCase();
    const value = phrase ?? word ?? "";
    if (phrase === undefined && ALONE.test(whole)) throw unusable(whole);
    const field = operator === undefined ? undefined : SEARCH_FIELD_OF[operator];
    if (operator !== undefined && field === undefined) {
      if (!applyFilter(filters, operator, value)) throw unusable(whole);
      lastIsOpen = false;
      continue;
    }
    const words = queryWords(value);
    if (words.length === 0 && operator !== undefined) throw unusable(whole);
    if (words.length === 0) continue;
    if (words.some(({ length }) => length > WORD_MAX_CHARS)) throw wordTooLong();
    if (terms.length === QUERY_MAX_TERMS) throw tooManyWords();
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

const wordTooLong = () =>
  fail("invalid_query", {
    param: "q",
    message: `The search has a word of more than ${WORD_MAX_CHARS} characters.`,
    fix: `Shorten it: only the first ${WORD_MAX_CHARS} characters of a word are indexed, so a longer one cannot be found.`,
  });

const tooManyWords = () =>
  fail("invalid_query", {
    param: "q",
    message: `The search has more than ${QUERY_MAX_TERMS} words and phrases.`,
    fix: `Search for at most ${QUERY_MAX_TERMS} of them: the rarest words find the most.`,
  });

function unusable(part: string) {
  const shown = part.length > MAX_SHOWN_CHARS ? `${part.slice(0, MAX_SHOWN_CHARS)}…` : part;
  return fail("invalid_query", {
    param: "q",
    message: `The search can't use ${shown}.`,
    fix: "Write operators as from:ada, to:bo@example.org, subject:invoice, label:work, has:attachment, before:2026-11-20 or after:2026-11-20T08:00:00Z, without a space after the colon; in quotes they are words.",
  });
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
      if (!LABEL.test(value.toLowerCase())) return false;
      filters.labels.push(value.toLowerCase());
      return true;
    case "has":
      if (!/^attachments?$/i.test(value)) return false;
      filters.has_attachment = true;
      return true;
    case "before":
    case "after": {
      const time = readTime(value);
      if (time === undefined) return false;
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
