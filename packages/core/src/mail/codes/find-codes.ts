import { inEachLanguage } from "../words/index.ts";
import { type CodeForm, codeFormsIn } from "./code-forms.ts";
import {
  CONFERENCE,
  CURRENCIES,
  ENTERED,
  LINKERS,
  MARKETING,
  OTHER_CODES,
  OTHER_NUMBERS,
} from "./code-words.ts";
import { foldMarks } from "./fold-marks.ts";
import { joinedLines, plainLines } from "./plain-lines.ts";

/** A code that a mail seems to contain. */
export interface FoundCode {
  code: string;
  /** From 0 to 1. */
  score: number;
  /** Its position relative to the code word, for people. */
  reason: string;
}

/** The strength of a word as the name of a one-time code; a `secret` is a password of any kind. */
type Strength = "strong" | "weak" | "secret";

interface WordHit {
  start: number;
  end: number;
  strength: Strength;
  /** The line that it is in, without marks. */
  line: string;
}

/**
 * The positions of a code relative to the word that names it, with the maximum distance in characters or lines, and the
 * score with a word of each strength.
 */
const PLACES = {
  behind: {
    strong: { score: 0.9, reach: 60 },
    weak: { score: 0.78, reach: 25 },
    secret: { score: 0.74, reach: 25 },
    why: "it follows the code word in its line",
  },
  before: {
    strong: { score: 0.82, reach: 45 },
    weak: { score: 0.7, reach: 25 },
    secret: { score: 0.62, reach: 20 },
    why: "the code word follows it in its line",
  },
  below: {
    strong: { score: 0.88, reach: 4 },
    weak: { score: 0.72, reach: 4 },
    secret: { score: 0.7, reach: 1 },
    why: "it stands alone in a line below the code word",
  },
  above: {
    strong: { score: 0.7, reach: 2 },
    weak: { score: 0.56, reach: 2 },
    secret: { score: 0.5, reach: 0 },
    why: "it stands alone in a line above the code word",
  },
  subject: {
    strong: { score: 0.66 },
    weak: { score: 0.58 },
    secret: { score: 0.5 },
    why: "it stands alone in a line, and the subject names a code",
  },
} as const;

const ENOUGH = 0.5;
const PER_CHAR = 0.004;
const PER_LINE = 0.03;
const NEXT_SENTENCE = 0.3;
const LINKED = 0.06;
/** The maximum distance of a strong word from a code that a colon or "is" precedes. */
const LINKED_REACH = 90;
const OTHER_NUMBER = 0.42;
const ENTERED_SCORE = 0.74;
const ENTERED_WHY = "the mail asks to enter it";
const BOUND_SCORE = 0.95;
const BOUND_WHY = "the mail binds it to a website";
/** A weak word occurs near many numbers: a code of an unusual form must be linked to it. */
const UNUSUAL = 0.3;
/** The maximum distance of a purpose from the word that it makes strong. */
const PURPOSE_CHARS = 24;
const MAX_FOUND = 10;
const MAX_PAIRS = 20_000;

/** Latin letters without marks, and those of Greek and Cyrillic. */
const LATIN_LETTERS = "a-zßæœðþəħŋ";
const EUROPEAN_LETTERS = `${LATIN_LETTERS}α-ωа-яђ-џґғқңұүө`;

const folded = (source: string): string => foldMarks(source.normalize("NFKC"));

/**
 * Builds a source with fewer letters in its classes: one with the letters of all scripts takes a millisecond to
 * compile.
 */
const lettersOf = (source: string, letters: string): string =>
  source.replaceAll("[\\p{L}", `[${letters}`).replaceAll("\\p{L}", `[${letters}]`);

const compiled = (pick: Strength | "purpose", latin: boolean, endings: number): RegExp => {
  const wordsOf = (spaced: boolean) =>
    inEachLanguage("codes")
      .map(({ words }) => words)
      .filter((words) => words.spaced === spaced && words.latin === latin)
      .flatMap((words) => words[pick] ?? [])
      .join("|");
  const [spaced, unspaced] = [wordsOf(true), wordsOf(false)];
  const word = `(?<![\\p{L}\\p{N}_])(?:${spaced})\\p{L}{0,${endings}}(?![\\p{L}\\p{N}_])`;
  const words = unspaced === "" ? word : `${word}|${unspaced}`;
  const source = folded(words);
  return new RegExp(latin ? lettersOf(source, LATIN_LETTERS) : source, "giu");
};
const patternsOf = (latin: boolean) => ({
  strong: compiled("strong", latin, 5),
  weak: compiled("weak", latin, 0),
  secret: compiled("secret", latin, 0),
  purpose: compiled("purpose", latin, 12),
});
const LATIN = patternsOf(true);
const OTHER_SCRIPTS = patternsOf(false);
const IS_LATIN = /[a-z]/i;
const IS_OTHER_SCRIPT = /[^\P{L}\p{Script=Latin}]/u;
const OTHERS = lettersOf(folded(OTHER_CODES.map(({ words }) => words).join("|")), EUROPEAN_LETTERS);
const OTHER_BEFORE = new RegExp(`(?<!\\p{Script=Latin})(?:${OTHERS})[\\s'’-]{0,2}$`, "iu");
const OTHER_BEHIND = new RegExp(
  `^[\\s-]{0,2}(?:(?:de|du|del|da|do|di|dla|za) )?(?:${OTHERS})(?![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}])`,
  "iu",
);
const OTHER_WITHIN = new RegExp(`^(?:${OTHERS})`, "iu");
const ADVERTISES = new RegExp(folded(MARKETING), "iu");
const CONFERS = new RegExp(folded(CONFERENCE), "iu");
const LEAD_CHARS = 16;
const LINKS = new RegExp(
  `(?:^|[^\\p{L}])(?:${folded(LINKERS)})[\\s"'“‘«「『(\\[【*:]*$|^[\\s"'“‘«「『(\\[【*:]*$`,
  "iu",
);
/** The link between a code and the word behind it: "is", or the word itself. */
const LINKS_BACK = new RegExp(
  `^["'”’»」』)\\]】*]{0,3}\\s?(?:${folded(LINKERS)}|[(（,–—-])(?!\\p{Script=Latin})`,
  "iu",
);
const QUOTED_BEFORE = /(?:["'“‘«「『*【]|\*\*)$/u;
const QUOTED_BEHIND = /^(?:["'”’»」』*】]|\*\*)/u;
const ENDS = /^["'”’»」』)\]】*]{0,3}(?:[.,;!。，；！]|\s{0,3}$)/u;
const NAMES_OTHER = new RegExp(
  `(?:^|[^\\p{L}]|(?=[账帳订訂手尾口注계주]))(?:${lettersOf(folded(OTHER_NUMBERS), EUROPEAN_LETTERS)})[\\s.:#"'(]*$`,
  "iu",
);
/** Signs for the hidden digits before the last ones of an account: "XX 1245", "**** 1245". */
const IS_MASKED = /(?:^|[^A-Za-z])(?:[xX]{2,16}|[*•·●#]{2,16})[\s-]?$/u;
/** A code behind the letters of its service: "Code Northwind: G-482913". */
const SERVICES_OWN = /^[A-Z]{1,3}-\d{4,8}$/;
const IS_AMOUNT = new RegExp(`(?:^|[^\\p{L}])(?:${CURRENCIES})[\\s.]{0,2}$`, "iu");
const ENTER_BEFORE = new RegExp(
  `(?:^|[^\\p{L}]|(?=[输輸填]))${folded(ENTERED.before)}[\\s:"'“(]{0,3}$`,
  "iu",
);
const ENTER_BEHIND = new RegExp(
  `^[\\s"'”)]{0,3}.{0,24}?${lettersOf(folded(ENTERED.purpose), EUROPEAN_LETTERS)}`,
  "iu",
);
const ENTER_PURPOSE = new RegExp(`(?<!\\p{L})${lettersOf(folded(ENTERED.purpose), EUROPEAN_LETTERS)}`, "iu");
const PURPOSE_LEAD_CHARS = 80;
/** A code bound to the requesting site, as browsers read it: the host and the code in one line. */
const BOUND = /^@[a-z\d.-]{1,253}\.[a-z]{2,63} #([A-Za-z\d]{4,10})(?: @[a-z\d.-]{1,253})?$/i;
const SENTENCE_END = /[.!?。！？](?:\s|$)|[。！？]/u;

/**
 * The one-time codes in a mail, best first; empty when nothing near a code word looks like one. Linear; reads
 * the first 20,000 characters.
 */
export function findCodes(mail: { subject: string; text: string }): FoundCode[] {
  const subject = plainLines(mail.subject).slice(0, 1);
  const lines = joinedLines(plainLines(mail.text));
  const inSubject = scan(subject, subject.map(codeFormsIn), () => true);
  const named = inSubject.flatMap(({ words }) => words.map(({ strength }) => strength));
  const inLines = lines.map(codeFormsIn);
  const inText = scan(lines, inLines, (at) => isNearForm(inLines, at));
  const found = new Map<string, FoundCode>();
  const note = ({ code, weight }: CodeForm, score: number, reason: string) => {
    const total = Math.round(Math.min(1, score + weight) * 100) / 100;
    if (total >= ENOUGH && total > (found.get(code)?.score ?? 0))
      found.set(code, { code, score: total, reason });
  };

  let pairs = 0;
  for (const { line, words, forms } of [...inSubject, ...inText]) {
    for (const form of forms)
      if (form.needs === undefined && isEntered(line, form)) note(form, ENTERED_SCORE, ENTERED_WHY);
    for (const word of words)
      for (const form of forms) if (pairs++ < MAX_PAIRS) noteSameLine(word, form, note);
  }
  for (const [at, { line, forms }] of inText.entries()) {
    const [, bound] = BOUND.exec(line) ?? [];
    if (bound !== undefined) found.set(bound, { code: bound, score: BOUND_SCORE, reason: BOUND_WHY });
    for (const form of forms.filter(({ alone }) => alone)) {
      for (const near of wordsAround(inText, at)) noteAlone(form, near, note);
      const best = STRENGTHS.find((strength) => named.includes(strength));
      if (best !== undefined && suits(form, best, true))
        note(form, PLACES.subject[best].score, PLACES.subject.why);
    }
  }
  return [...found.values()].sort((a, b) => b.score - a.score).slice(0, MAX_FOUND);
}

const STRENGTHS = ["strong", "weak", "secret"] as const;

/** Whether a line has a possible code, or one is alone near it. */
function isNearForm(forms: readonly (readonly CodeForm[])[], at: number): boolean {
  if ((forms[at]?.length ?? 0) > 0) return true;
  for (let line = at - PLACES.above.strong.reach; line <= at + PLACES.below.strong.reach; line++)
    if (forms[line]?.some(({ alone }) => alone)) return true;
  return false;
}

interface Scanned {
  line: string;
  words: WordHit[];
  forms: CodeForm[];
}

/** Scans each line for codes and, where they can matter, for words. */
function scan(
  lines: readonly string[],
  forms: readonly CodeForm[][],
  matters: (at: number) => boolean,
): Scanned[] {
  const plain = lines.map(foldMarks);
  return plain.map((line, at) => ({
    line,
    words: matters(at) ? wordsIn(line, [plain[at - 1] ?? "", line, plain[at + 1] ?? ""].join("\n")) : [],
    forms: forms[at] ?? [],
  }));
}

function wordsIn(line: string, around: string): WordHit[] {
  if (CONFERS.test(around)) return [];
  const patterns = [
    ...(IS_LATIN.test(line) ? [LATIN] : []),
    ...(IS_OTHER_SCRIPT.test(line) ? [OTHER_SCRIPTS] : []),
  ];
  const hits: WordHit[] = [];
  const seen: Span[] = [];
  const add = (strength: Strength) => {
    for (const hit of patterns.flatMap((pattern) => hitsOf(pattern[strength], line))) {
      if (seen.some((other) => overlap(hit, other))) continue;
      seen.push(hit);
      if (!isOtherCode(line, hit)) hits.push({ ...hit, strength, line });
    }
  };
  add("strong");
  if (ADVERTISES.test(around)) return hits;
  add("secret");
  add("weak");
  if (hits.length === 0) return hits;
  const purposes = patterns.flatMap(({ purpose }) => hitsOf(purpose, line));
  return hits.map((hit) => withPurpose(hit, purposes));
}

/** Strengthens a word for any code if the line names the code's purpose. */
function withPurpose(hit: WordHit, purposes: readonly Span[]): WordHit {
  if (hit.strength === "strong") return hit;
  for (const { start, end } of purposes) {
    const [from, to] = start >= hit.end ? [hit.end, start] : [end, hit.start];
    if (to - from > PURPOSE_CHARS) continue;
    const gap = hit.line.slice(from, to);
    if (SENTENCE_END.test(gap)) continue;
    // A purpose behind the code leaves the code next to its word.
    const joined = /\d/.test(gap) ? {} : { start: Math.min(start, hit.start), end: Math.max(end, hit.end) };
    return { ...hit, ...joined, strength: "strong" };
  }
  return hit;
}

interface Span {
  start: number;
  end: number;
}

/** `matchAll` would run a copy of the pattern on each call, and V8 would recompile it after garbage collection. */
function hitsOf(pattern: RegExp, line: string): Span[] {
  const hits: Span[] = [];
  pattern.lastIndex = 0;
  for (let found = pattern.exec(line); found !== null; found = pattern.exec(line))
    hits.push({ start: found.index, end: pattern.lastIndex });
  return hits;
}

const overlap = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end;

const isOtherCode = (line: string, { start, end }: Span): boolean =>
  OTHER_BEFORE.test(line.slice(Math.max(0, start - 24), start)) ||
  OTHER_BEHIND.test(line.slice(end, end + 24)) ||
  OTHER_WITHIN.test(line.slice(start, end));

type Note = (form: CodeForm, score: number, reason: string) => void;

/** Whether a form may count with a word of this strength, given whether it is linked to it or set apart. */
function suits({ code, needs }: CodeForm, strength: Strength, linked: boolean): boolean {
  if (strength === "secret") return linked && /^\d{4,8}$/.test(code);
  return needs === undefined || (linked && (needs !== "word" || strength === "strong"));
}

function noteSameLine({ line, start, end, strength }: WordHit, form: CodeForm, note: Note): void {
  const behind = form.start >= end;
  if (!behind && form.end > start) return;
  const place = behind ? PLACES.behind : PLACES.before;
  const { score, reach } = place[strength];
  const gap = behind ? line.slice(end, form.start) : line.slice(form.end, start);
  const lead = line.slice(Math.max(behind ? end : 0, form.start - LEAD_CHARS), form.start);
  const linked = behind ? LINKS.test(lead) : LINKS_BACK.test(gap);
  if (gap.length > (strength === "strong" && behind && linked ? LINKED_REACH : reach)) return;
  const apart = SENTENCE_END.test(gap) ? NEXT_SENTENCE : 0;
  const is_other = NAMES_OTHER.test(lead) || IS_AMOUNT.test(lead) || isMasked(lead, line, form);
  const other = is_other ? OTHER_NUMBER : 0;
  const told =
    linked && (!behind || strength === "strong" || lead.trim() !== "" || IS_OTHER_SCRIPT.test(line));
  if (!suits(form, strength, (strength === "secret" ? told : linked) || isQuoted(line, form))) return;
  if ((form.needs === "letters" || form.needs === "word") && !isSetApart(line, form, behind)) return;
  const named = SERVICES_OWN.test(form.code) && /[:：]\s*$/.test(lead);
  const unusual = strength !== "strong" && !told && !named && !/^\d{6}$/.test(form.code) ? UNUSUAL : 0;
  const total = score - gap.length * PER_CHAR - apart - other - unusual + (behind && told ? LINKED : 0);
  note(form, total, place.why);
}

/** Whether a number has the signs of hidden digits before it, which aren't marks of bold text. */
const isMasked = (lead: string, line: string, form: CodeForm): boolean =>
  IS_MASKED.test(lead) && /^\d+$/.test(form.code) && !isQuoted(line, form);

const isQuoted = (line: string, { start, end }: CodeForm): boolean =>
  QUOTED_BEFORE.test(line.slice(Math.max(0, start - 2), start)) &&
  QUOTED_BEHIND.test(line.slice(end, end + 2));

/** Whether capitals in a line are set apart from its words: quoted, or at the end of a sentence not in capitals. */
function isSetApart(line: string, form: CodeForm, behind: boolean): boolean {
  if (isQuoted(line, form)) return true;
  const rest = `${line.slice(0, form.start)} ${line.slice(form.end)}`;
  const shouted = rest.match(/[A-Z]/g)?.length ?? 0;
  if (shouted > 4 && shouted > (rest.match(/[a-z]/g)?.length ?? 0)) return false;
  return behind ? ENDS.test(line.slice(form.end)) : form.needs === "letters";
}

/** Whether the mail asks to enter it, as in "Use 482913 to sign in". */
function isEntered(line: string, { code, start, end }: CodeForm): boolean {
  return (
    ENTER_BEFORE.test(line.slice(Math.max(0, start - 24), start)) &&
    (ENTER_BEHIND.test(line.slice(end, end + 48)) ||
      (/^\d{6}$/.test(code) &&
        ENTER_PURPOSE.test(line.slice(Math.max(0, start - PURPOSE_LEAD_CHARS), start))))
  );
}

interface Near {
  /** In lines; negative means that the word is below. */
  distance: number;
  strength: Strength;
  /** The line of the word ends with a colon. */
  announced: boolean;
}

/** The strongest code word in each of the lines around a line. */
function wordsAround(lines: readonly Scanned[], at: number): Near[] {
  const near: Near[] = [];
  for (let distance = -PLACES.above.strong.reach; distance <= PLACES.below.strong.reach; distance++) {
    const { words = [], line = "" } = distance === 0 ? {} : (lines[at - distance] ?? {});
    const strength = STRENGTHS.find((each) => words.some((word) => word.strength === each));
    if (strength !== undefined) near.push({ distance, strength, announced: /[:：]\s*$/.test(line) });
  }
  return near;
}

function noteAlone(form: CodeForm, { distance, strength, announced }: Near, note: Note): void {
  const place = distance > 0 ? PLACES.below : PLACES.above;
  const { score, reach } = place[strength];
  const away = Math.abs(distance);
  if (away > reach || !suits(form, strength, true)) return;
  if (form.needs === "word" && !(announced && distance === 1)) return;
  if (strength === "weak" && /\D/.test(form.code) && !announced) return;
  note(form, score - (away - 1) * PER_LINE, place.why);
}
