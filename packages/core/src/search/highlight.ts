import { fold, wordsOf } from "../mail/search-words.ts";
import { isHeld } from "../messages/index.ts";
import type { MessageRecord } from "../model/messages.ts";
import type { SearchField, SearchTerm } from "../ports/storage.ts";

const around = 80;
const scanned = 20_000;
const lineChars = 300;
const wordsCounted = 500;

/**
 * The pieces of a message that a search matched, as escaped HTML with `<mark>`; a held message shows none of
 * its text.
 */
export function highlight(
  message: MessageRecord,
  terms: readonly SearchTerm[],
): { subject?: string; text?: string; from?: string; attachments?: string } {
  const pieces = {
    subject: mark(message.subject.slice(0, lineChars), terms, "subject"),
    text: isHeld(message) ? undefined : excerpt(message.extracted_text.slice(0, scanned), terms),
    from: mark(`${message.from_name ?? ""} <${message.from}>`.trim().slice(0, lineChars), terms, "sender"),
    attachments: isHeld(message)
      ? undefined
      : mark(
          message.attachments
            .map(({ filename }) => filename)
            .join(", ")
            .slice(0, lineChars),
          terms,
          "attachments",
        ),
  };
  return Object.fromEntries(Object.entries(pieces).filter(([, piece]) => piece !== undefined));
}

/**
 * From 0 to 1: the share of what was asked that stands in the subject or the people, which weighs more than
 * standing in the text.
 */
export function scoreOf(message: MessageRecord, terms: readonly SearchTerm[]): number {
  if (terms.length === 0) return 0;
  const head = wordsOf(`${message.subject} ${message.from_name ?? ""} ${message.from}`, wordsCounted);
  const hits = terms.filter(({ words, prefix }) =>
    words.every((word, index) =>
      head.some((own) => matches(own, word, prefix && index === words.length - 1)),
    ),
  );
  return Math.round((0.5 + (0.5 * hits.length) / terms.length) * 100) / 100;
}

function excerpt(text: string, terms: readonly SearchTerm[]): string | undefined {
  const first = writtenAsAsked(text, terms) ?? spans(text, terms, "text").next().value;
  if (first === undefined) return undefined;
  const start = Math.max(0, first.start - around);
  const end = Math.min(text.length, first.end + around);
  const piece = mark(text.slice(start, end).replace(/\s+/g, " "), terms, "text") ?? "";
  return `${start > 0 ? "…" : ""}${piece}${end < text.length ? "…" : ""}`;
}

function mark(text: string, terms: readonly SearchTerm[], field: SearchField): string | undefined {
  const found = [...spans(text, terms, field)];
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
 * The first place where a word of the terms stands as it was asked but for its case. Words that are written
 * otherwise, with accents for example, are not seen: to look for those, each word of the text must be folded,
 * which takes ten times as long.
 */
function writtenAsAsked(text: string, terms: readonly SearchTerm[]): Span | undefined {
  const lower = text.toLowerCase();
  // A few letters change their length with their case: then places in the one are not those in the other.
  if (lower.length !== text.length) return undefined;
  const asked = terms.filter(({ field }) => field === null || field === "text");
  const firsts = asked
    .flatMap(({ words }) => words.map((word) => firstRun(lower, word, asked)))
    .filter((span) => span !== undefined);
  return firsts.toSorted((a, b) => a.start - b.start)[0];
}

/**
 * The first run of letters and digits that holds the text of a word, and one of whose words was asked for.
 */
function firstRun(text: string, word: string, asked: readonly SearchTerm[]): Span | undefined {
  let from = 0;
  for (;;) {
    const at = text.indexOf(word, from);
    if (at === -1) return undefined;
    const start = startOfRun(text, at, from);
    runEnd.lastIndex = at;
    runEnd.test(text);
    const end = runEnd.lastIndex;
    if (isAsked(text.slice(start, end), asked)) return { start, end };
    from = Math.max(end, at + 1);
  }
}

const inRun = /[\p{L}\p{N}\p{M}\ud800-\udfff]/u;
const runEnd = /[\p{L}\p{N}\p{M}]*/uy;

function startOfRun(text: string, at: number, least: number): number {
  let start = at;
  while (start > least && inRun.test(text[start - 1] ?? "")) start--;
  return start;
}

/** Where words of the terms stand, in order: a run of letters and digits one of whose words was asked for. */
function* spans(text: string, terms: readonly SearchTerm[], field: SearchField): Generator<Span, undefined> {
  const asked = terms.filter((term) => term.field === null || term.field === field);
  // Looking at each word takes ten times as long, and most fields hold nothing of what was asked.
  if (!holdsLetters(fold(text), asked)) return;
  const known = new Map<string, boolean>();
  for (const { 0: run, index: start } of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    // Words come again and again within a text.
    const hit = known.get(run) ?? isAsked(run, asked);
    known.set(run, hit);
    if (hit) yield { start, end: start + run.length };
  }
}

/** A run that is one word as it stands; most are. */
const plainWord = /^[a-z\d]{1,64}$/i;

function isAsked(run: string, asked: readonly SearchTerm[]): boolean {
  const folded = fold(run);
  if (!holdsLetters(folded, asked)) return false;
  const own = plainWord.test(run) ? [folded] : wordsOf(run, wordsCounted);
  return asked.some(({ words, prefix }) =>
    words.some((word, index) =>
      own.some((mine) => matches(mine, word, prefix && index === words.length - 1)),
    ),
  );
}

/** Whether a folded text holds the letters of a word that was asked for, be it within another word. */
const holdsLetters = (folded: string, asked: readonly SearchTerm[]): boolean =>
  asked.some(({ words }) => words.some((word) => folded.includes(word)));

const matches = (own: string, word: string, prefix: boolean): boolean =>
  own === word || (prefix && own.startsWith(word));

const escapes: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
