import { foldForSearch, searchWordsOf } from "../../mail/search-words.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { SearchField, SearchTerm } from "../../ports/search.ts";
import { isHeld } from "../messages/show.ts";

const EXCERPT_CONTEXT_CHARS = 80;
const MAX_SCANNED_CHARS = 20_000;
const MAX_LINE_CHARS = 300;
const MAX_WORDS = 500;

/** The matching parts of a message as escaped HTML with `<mark>`; none of the text while it is held. */
export function highlight(
  message: MessageRecord,
  terms: readonly SearchTerm[],
): { subject?: string; text?: string; from?: string; attachments?: string } {
  const pieces = {
    subject: mark(message.subject.slice(0, MAX_LINE_CHARS), terms, "subject"),
    text: isHeld(message) ? undefined : excerpt(message.extracted_text.slice(0, MAX_SCANNED_CHARS), terms),
    from: mark(
      `${message.from_name ?? ""} <${message.from}>`.trim().slice(0, MAX_LINE_CHARS),
      terms,
      "sender",
    ),
    attachments: mark(
      message.attachments
        .map(({ filename }) => filename)
        .join(", ")
        .slice(0, MAX_LINE_CHARS),
      terms,
      "attachments",
    ),
  };
  return Object.fromEntries(Object.entries(pieces).filter(([, piece]) => piece !== undefined));
}

/** The score: 0.5 to 1, rising with the share of terms found in subject or sender; 0 without terms. */
export function scoreOf(message: MessageRecord, terms: readonly SearchTerm[]): number {
  if (terms.length === 0) return 0;
  const head = searchWordsOf(`${message.subject} ${message.from_name ?? ""} ${message.from}`, MAX_WORDS);
  const hits = terms.filter(({ words, prefix }) =>
    words.every((word, index) =>
      head.some((own) => matches(own, word, prefix && index === words.length - 1)),
    ),
  );
  return Math.round((0.5 + (0.5 * hits.length) / terms.length) * 100) / 100;
}

function excerpt(text: string, terms: readonly SearchTerm[]): string | undefined {
  const first = firstExactMatch(text, terms) ?? matchingRuns(text, terms, "text").next().value;
  if (first === undefined) return undefined;
  const start = Math.max(0, first.start - EXCERPT_CONTEXT_CHARS);
  const end = Math.min(text.length, first.end + EXCERPT_CONTEXT_CHARS);
  const piece = mark(text.slice(start, end).replace(/\s+/g, " "), terms, "text") ?? "";
  return `${start > 0 ? "…" : ""}${piece}${end < text.length ? "…" : ""}`;
}

function mark(text: string, terms: readonly SearchTerm[], field: SearchField): string | undefined {
  const found = [...matchingRuns(text, terms, field)];
  if (found.length === 0) return undefined;
  let marked = "";
  let at = 0;
  for (const { start, end } of found) {
    marked += `${escape(text.slice(at, start))}<mark>${escape(text.slice(start, end))}</mark>`;
    at = end;
  }
  return marked + escape(text.slice(at));
}

interface Span {
  start: number;
  end: number;
}

/**
 * The first occurrence of a searched word, ignoring case only. Other spellings, such as accents, are missed:
 * finding them means folding every word of the text, which is ten times slower.
 */
function firstExactMatch(text: string, terms: readonly SearchTerm[]): Span | undefined {
  const lower = text.toLowerCase();
  // A few letters change length with case; offsets in the two texts then differ.
  if (lower.length !== text.length) return undefined;
  const asked = terms.filter(({ field }) => field === null || field === "text");
  const firsts = asked
    .flatMap(({ words }) => words.map((word) => firstRun(lower, word, asked)))
    .filter((span) => span !== undefined);
  return firsts.toSorted((a, b) => a.start - b.start)[0];
}

/** The first run of letters and digits that contains `word` and is itself a match. */
function firstRun(text: string, word: string, asked: readonly SearchTerm[]): Span | undefined {
  let from = 0;
  for (;;) {
    const at = text.indexOf(word, from);
    if (at === -1) return undefined;
    const start = startOfRun(text, at, from);
    RUN_END.lastIndex = at;
    RUN_END.test(text);
    const end = RUN_END.lastIndex;
    if (isAsked(text.slice(start, end), asked)) return { start, end };
    from = Math.max(end, at + 1);
  }
}

const IN_RUN = /[\p{L}\p{N}\p{M}\ud800-\udfff]/u;
const RUN_END = /[\p{L}\p{N}\p{M}]*/uy;

function startOfRun(text: string, at: number, least: number): number {
  let start = at;
  while (start > least && IN_RUN.test(text[start - 1] ?? "")) start--;
  return start;
}

/** The matching runs of letters and digits, in order. */
function* matchingRuns(
  text: string,
  terms: readonly SearchTerm[],
  field: SearchField,
): Generator<Span, undefined> {
  const asked = terms.filter((term) => term.field === null || term.field === field);
  // Checking each word is ten times slower, and most fields contain no match.
  if (!holdsLetters(foldForSearch(text), asked)) return;
  const known = new Map<string, boolean>();
  for (const { 0: run, index: start } of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    // Words repeat within a text, so results are cached.
    const hit = known.get(run) ?? isAsked(run, asked);
    known.set(run, hit);
    if (hit) yield { start, end: start + run.length };
  }
}

/** A run that is a single word as it is; most are. */
const PLAIN_WORD = /^[a-z\d]{1,64}$/i;

function isAsked(run: string, asked: readonly SearchTerm[]): boolean {
  const folded = foldForSearch(run);
  if (!holdsLetters(folded, asked)) return false;
  const own = PLAIN_WORD.test(run) ? [folded] : searchWordsOf(run, MAX_WORDS);
  return asked.some(({ words, prefix }) =>
    words.some((word, index) =>
      own.some((mine) => matches(mine, word, prefix && index === words.length - 1)),
    ),
  );
}

/** Whether a folded text contains a searched word, possibly inside another word. */
const holdsLetters = (folded: string, asked: readonly SearchTerm[]): boolean =>
  asked.some(({ words }) => words.some((word) => folded.includes(word)));

const matches = (own: string, word: string, prefix: boolean): boolean =>
  own === word || (prefix && own.startsWith(word));

const HTML_ESCAPES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => HTML_ESCAPES[character] ?? character);
