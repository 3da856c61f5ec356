import { type CodeForm, codeFormsIn } from "./code-forms.ts";
import {
  CODE_WORDS,
  CONFERENCE,
  ENTERED,
  LINKERS,
  MARKETING,
  OTHER_CODES,
  OTHER_NUMBERS,
} from "./code-words.ts";
import { joinedLines, plainLines } from "./plain-lines.ts";

/** A code that a mail seems to contain. */
export interface FoundCode {
  code: string;
  /** From 0 to 1. */
  score: number;
  /** Where it is relative to the code word, for people. */
  reason: string;
}

interface WordHit {
  start: number;
  end: number;
  strong: boolean;
}

/**
 * Where a code can be relative to the word that names it, the maximum distance, and its score with a strong
 * or a weak word.
 */
const PLACES = {
  behind: { strong: 0.9, weak: 0.78, chars: 60, weak_chars: 25, why: "it follows the code word in its line" },
  before: { strong: 0.82, weak: 0.7, chars: 45, weak_chars: 25, why: "the code word follows it in its line" },
  below: { strong: 0.88, weak: 0.72, lines: 4, why: "it stands alone in a line below the code word" },
  above: { strong: 0.7, weak: 0.56, lines: 2, why: "it stands alone in a line above the code word" },
  subject: { strong: 0.66, weak: 0.58, why: "it stands alone in a line, and the subject names a code" },
} as const;

const ENOUGH = 0.5;
const PER_CHAR = 0.004;
const PER_LINE = 0.03;
const NEXT_SENTENCE = 0.3;
const LINKED = 0.06;
const OTHER_NUMBER = 0.42;
const ENTERED_SCORE = 0.74;
const ENTERED_WHY = "the mail asks to enter it";
const MAX_FOUND = 10;
const MAX_PAIRS = 20_000;

/** One class of letters for all languages: compiling each costs a millisecond. */
const compiled = (pick: "strong" | "weak") => {
  const wordsOf = (spaced: boolean) =>
    CODE_WORDS.filter((words) => words.spaced === spaced)
      .map((words) => words[pick])
      .join("|");
  const word = `(?<![\\p{L}\\p{N}_])(?:${wordsOf(true)})\\p{L}{0,5}(?![\\p{L}\\p{N}_])`;
  return new RegExp(`${word}|${wordsOf(false)}`, "giu");
};
const STRONG = compiled("strong");
const WEAK = compiled("weak");
const OTHERS = OTHER_CODES.map(({ words }) => words).join("|");
const OTHER_BEFORE = new RegExp(`(?:${OTHERS})[\\s'’-]{0,2}$`, "iu");
const OTHER_BEHIND = new RegExp(`^[\\s-]{0,2}(?:${OTHERS})(?!\\p{L})`, "iu");
const ADVERTISES = new RegExp(MARKETING, "iu");
const CONFERS = new RegExp(CONFERENCE, "iu");
const LEAD_CHARS = 16;
const LINKS = new RegExp(`(?:^|[^\\p{L}])(?:${LINKERS})[\\s"'“‘«(\\[【*:]*$|^[\\s"'“‘«(\\[【*:]*$`, "iu");
const NAMES_OTHER = new RegExp(
  `(?:^|[^\\p{L}]|(?=[账帳订訂手尾口注계주]))(?:${OTHER_NUMBERS})[\\s.:#"'(]*$`,
  "iu",
);
const ENTER_BEFORE = new RegExp(`(?:^|[^\\p{L}]|(?=[输輸填]))${ENTERED.before}[\\s:"'“(]{0,3}$`, "iu");
const ENTER_BEHIND = new RegExp(`^[\\s"'”)]{0,3}${ENTERED.behind}`, "iu");
const SENTENCE_END = /[.!?。！？](?:\s|$)|[。！？]/u;

/**
 * The one-time codes in a mail, best first; empty when nothing near a code word looks like one. Linear; reads
 * the first 20,000 characters.
 */
export function findCodes(mail: { subject: string; text: string }): FoundCode[] {
  const subject = plainLines(mail.subject).slice(0, 1);
  const lines = joinedLines(plainLines(mail.text));
  const inSubject = scan(subject);
  const inText = scan(lines);
  const named = inSubject.flatMap(({ words }) => words);
  const found = new Map<string, FoundCode>();
  const note = ({ code, weight }: CodeForm, score: number, reason: string) => {
    const total = Math.round(Math.min(1, score + weight) * 100) / 100;
    if (total >= ENOUGH && total > (found.get(code)?.score ?? 0))
      found.set(code, { code, score: total, reason });
  };

  let pairs = 0;
  for (const { line, words, forms } of [...inSubject, ...inText]) {
    for (const form of forms) if (isEntered(line, form)) note(form, ENTERED_SCORE, ENTERED_WHY);
    for (const word of words)
      for (const form of forms) if (pairs++ < MAX_PAIRS) noteSameLine(word, form, note);
  }
  for (const [at, { forms }] of inText.entries()) {
    for (const form of forms.filter(({ alone }) => alone)) {
      for (const { distance, strong } of wordsAround(inText, at)) noteAlone(form, distance, strong, note);
      if (named.length > 0)
        note(
          form,
          PLACES.subject[named.some(({ strong }) => strong) ? "strong" : "weak"],
          PLACES.subject.why,
        );
    }
  }
  return [...found.values()].sort((a, b) => b.score - a.score).slice(0, MAX_FOUND);
}

interface Scanned {
  line: string;
  words: (WordHit & { line: string })[];
  forms: CodeForm[];
}

function scan(lines: readonly string[]): Scanned[] {
  return lines.map((line, at) => {
    const around = [lines[at - 1] ?? "", line, lines[at + 1] ?? ""].join("\n");
    const strong = CONFERS.test(around) ? [] : hitsOf(STRONG, line, true);
    const weak =
      ADVERTISES.test(around) || CONFERS.test(around)
        ? []
        : hitsOf(WEAK, line, false).filter((hit) => !strong.some((other) => overlap(hit, other)));
    const words = [...strong, ...weak]
      .filter((hit) => !isOtherCode(line, hit))
      .map((hit) => ({ ...hit, line }));
    return { line, words, forms: codeFormsIn(line) };
  });
}

/** With `matchAll` each call would run a copy of the pattern, and V8 compile it anew after it collected garbage. */
function hitsOf(pattern: RegExp, line: string, strong: boolean): WordHit[] {
  const hits: WordHit[] = [];
  pattern.lastIndex = 0;
  for (let found = pattern.exec(line); found !== null; found = pattern.exec(line))
    hits.push({ start: found.index, end: pattern.lastIndex, strong });
  return hits;
}

const overlap = (a: WordHit, b: WordHit): boolean => a.start < b.end && b.start < a.end;

const isOtherCode = (line: string, { start, end }: WordHit): boolean =>
  OTHER_BEFORE.test(line.slice(Math.max(0, start - 24), start)) ||
  OTHER_BEHIND.test(line.slice(end, end + 24));

type Note = (form: CodeForm, score: number, reason: string) => void;

function noteSameLine(
  { line, start, end, strong }: WordHit & { line: string },
  form: CodeForm,
  note: Note,
): void {
  const behind = form.start >= end;
  if (!behind && form.end > start) return;
  const place = behind ? PLACES.behind : PLACES.before;
  const gap = behind ? line.slice(end, form.start) : line.slice(form.end, start);
  if (gap.length > (strong ? place.chars : place.weak_chars)) return;
  const apart = SENTENCE_END.test(gap) ? NEXT_SENTENCE : 0;
  const lead = line.slice(Math.max(behind ? end : 0, form.start - LEAD_CHARS), form.start);
  const named = (behind && LINKS.test(lead) ? LINKED : 0) - (NAMES_OTHER.test(lead) ? OTHER_NUMBER : 0);
  note(form, place[strong ? "strong" : "weak"] - gap.length * PER_CHAR - apart + named, place.why);
}

/** Whether the mail asks to enter it, as in "Use 482913 to sign in". */
function isEntered(line: string, { start, end }: CodeForm): boolean {
  return (
    ENTER_BEFORE.test(line.slice(Math.max(0, start - 24), start)) &&
    ENTER_BEHIND.test(line.slice(end, end + 48))
  );
}

/** The code words in the lines around a line; a negative distance means below it. */
function wordsAround(lines: readonly Scanned[], at: number): { distance: number; strong: boolean }[] {
  const near: { distance: number; strong: boolean }[] = [];
  for (let distance = -PLACES.above.lines; distance <= PLACES.below.lines; distance++) {
    const words = distance === 0 ? [] : (lines[at - distance]?.words ?? []);
    if (words.length > 0) near.push({ distance, strong: words.some(({ strong }) => strong) });
  }
  return near;
}

function noteAlone(form: CodeForm, distance: number, strong: boolean, note: Note): void {
  const place = distance > 0 ? PLACES.below : PLACES.above;
  note(form, place[strong ? "strong" : "weak"] - (Math.abs(distance) - 1) * PER_LINE, place.why);
}
