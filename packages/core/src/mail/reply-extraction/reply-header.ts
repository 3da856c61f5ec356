import { inAllLanguages, inEachLanguage } from "../words/index.ts";
import { isDateWord, namesDay, wordsOf } from "./dates.ts";
import { introducesQuote, introducesUnmarkedQuote, saysWhoWrote } from "./introduction.ts";
import { MAX_HEADER_LINES, MAX_RULE_CHARS } from "./limits.ts";
import { bareOf, isBlank, isBracketed, type Line, nextFilled } from "./line.ts";

const REPLY_HEADER_WORDS = inEachLanguage("reply_headers").map(({ words }) => words);

const LEADS = [...new Set(REPLY_HEADER_WORDS.flatMap((words) => words.leads))].sort(byLength);
const VERBS = [...new Set(REPLY_HEADER_WORDS.flatMap((words) => words.verbs))].sort(byLength);
const LEAD = new RegExp(
  `^(?:${LEADS.map(escaped).join("|")})(?![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}])`,
  "u",
);
const VERB = new RegExp(
  `(?<![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}])(?:${VERBS.map(escaped).join("|")})(?![\\p{Script=Latin}\\p{Script=Cyrillic}])`,
  "u",
);
const VERB_AT_END = new RegExp(`(?:${VERBS.map(escaped).join("|")})\\)?\\s?[:：]?$`, "u");
const VERB_WITH_COLON = new RegExp(`${VERB.source} ?[:：]`, "u");
const PROSE = new RegExp(
  `(?<!\\p{L})(?:${inAllLanguages("prose_subjects").join("|")}) (?:${VERBS.map(escaped).join("|")})`,
  "u",
);
// "Am Donnerstag schrieb Ada:", "كتبت آدا:".
const VERB_FIRST = new RegExp(
  `^(?:(.{0,40}) )?(?:${verbsBeforeNames().map(escaped).join("|")}) (.{1,40}?) ?[:：]$`,
  "u",
);
const SAYS_WHEN = new RegExp(
  `(?<!\\p{L})\\p{L}?(?:${REPLY_HEADER_WORDS.flatMap(({ days = [] }) => days).join("|")})(?!\\p{L})`,
  "u",
);
// "As Ada wrote:" is part of a sentence.
const COMPARING =
  /^(?:as|like|what|when|where|because|since|and|but|so|also|this|that|here|wie|was|als|comme|como|come|zoals|как|jak)\s/;

const TIME = /\d{1,2} ?[:.h時시点點] ?\d{2}/;
const YEAR = /(?<!\d)(?:19|20)\d{2}(?!\d)/;
const DAY =
  /(?<!\d)\d{1,2}[./-]\d{1,2}(?!\d)|(?<!\d)\d{2}\. \d{1,2}\. \d{1,2}\.|(?<!\d)\d{1,2}(?:st|nd|rd|th|\.)? \p{L}{3}|\p{L}{3}\.? \d{1,2}(?!\d)/u;
const ISO_START = /^\d{4}[/-]\d{1,2}[/-]\d{1,2}/;
const WORDS_OF_A_NAME = 8;
/** The maximum length of a dated name when no quote follows: "Tuesday, November 4, 2025, Ada Bell wrote:" */
const WORDS_OF_A_DATED_NAME = 4;
const DIGIT_WITHIN = 34;
/** The length of the shortest header: "小艾写道:" */
const SHORTEST = 4;
const INITIALS = /^ {0,2}(\p{Lu}\p{L}{0,3}>)/u;
const INITIALS_CHARS = 7;

/**
 * The number of lines of the reply header ("On … wrote:") that starts at `at`; 0 when there is none. Reads at
 * most MAX_HEADER_LINES lines, and one blank line within a header that is folded before its address.
 */
export function replyHeaderAt(lines: readonly Line[], at: number): number {
  const first = lines[at];
  if (first === undefined || first.bare === "" || first.text.length > MAX_RULE_CHARS) return 0;
  if (isBracketed(first.text)) return 1;
  const leads =
    (first.bare.endsWith(",") || lines[at + 1]?.bare.startsWith("<") === true) && LEAD.test(first.bare);
  const hinted =
    leads ||
    /[\d@]|[<:：]$/.test(first.bare) ||
    quoteFollows(lines, at + 1) ||
    isDatedAboveQuote(lines, at + 1);
  if (!hinted) return 0;
  let joined = "";
  let written = "";
  let filled = 0;
  for (let end = at; end < lines.length && filled < MAX_HEADER_LINES; end += 1) {
    const line = lines[end];
    if (line === undefined || joined.length + line.text.length > MAX_RULE_CHARS) return 0;
    if (isBlank(line)) {
      if (!lines[end + 1]?.bare.startsWith("<")) return 0;
      continue;
    }
    if (end > at && startsAnew(line.bare) && !continuesDate(joined, line.bare)) return 0;
    joined = joined === "" ? line.bare : `${joined} ${line.bare}`;
    written = `${written} ${line.text}`;
    filled += 1;
    const quoted = quoteFollows(lines, end + 1);
    const ended = quoted || /[:：-]$/.test(joined);
    if (ended && isReplyHeader(joined, quoted))
      return end > at && startsLater(first.bare, line.bare, quoted) ? 0 : end - at + 1;
    if (quoted && introducesQuote(written, joined)) return end - at + 1;
    const apart = isParagraph(lines, at, end) || (isBlank(lines[at - 1]) && introducesDirectly(joined));
    if (apart && introducesUnmarkedQuote(written, joined)) return end - at + 1;
    if (/[.!?]$/.test(line.bare) && !/\d\.$|\p{L}{1,4}\.$/u.test(line.bare)) return 0;
  }
  return 0;
}

/**
 * Returns the start of a header within a line that starts with the reply ("… bla --- On 4 Apr … wrote:"); -1 when there
 * is none.
 */
export function inlineHeaderAt(line: Line): number {
  if (!line.text.includes("---")) return -1;
  const at = line.text.slice(0, MAX_RULE_CHARS).search(/(?<!-)-{3,} ?On /);
  if (at < 1) return -1;
  return isReplyHeader(line.text.slice(at).toLowerCase(), false) ? at : -1;
}

/**
 * Returns the start of the quoted text in a line that also has the header ("On … wrote: Hello"); -1 when there is none.
 */
export function headerEndIn(line: Line): number {
  if (!line.bare.includes("@") || !LEAD.test(line.bare)) return -1;
  const head = line.text.slice(0, MAX_RULE_CHARS);
  const verb = VERB_WITH_COLON.exec(head.toLowerCase());
  if (verb === null) return -1;
  const end = verb.index + verb[0].length;
  return head.slice(end).trim() !== "" && isReplyHeader(bareOf(head.slice(0, end)), false) ? end : -1;
}

/** Whether text, lower-cased and on one line, introduces the answered mail. `quoted` means that a quote follows. */
export function isReplyHeader(text: string, quoted: boolean): boolean {
  const dashed = text.startsWith("--") && text.endsWith("--");
  const line = withoutRules(text);
  if (line.length < SHORTEST || line.length > MAX_RULE_CHARS) return false;
  const address = line.includes("@") && !line.startsWith("@");
  const colon = /[:：]$/.test(line);
  if (!colon && !dashed) return quoted && address && bareDate(line);
  const time = TIME.test(line);
  const lead = /\d/.test(line.slice(0, DIGIT_WITHIN)) && LEAD.test(line);
  const date = YEAR.test(line) || DAY.test(line);
  if (VERB.test(line)) return verbHeader(line, { address, time, date, lead, quoted });
  if (!address || !date || !(time || quoted) || !startsDated(line)) return false;
  return quoted || /[>)\]] ?[:：]$/.test(line) || isDateAndAddress(line);
}

/** Whether blank lines enclose the lines from `start` to `end`, and text follows. */
const isParagraph = (lines: readonly Line[], start: number, end: number): boolean =>
  isBlank(lines[start - 1]) && isBlank(lines[end + 1]) && nextFilled(lines, end + 1) < lines.length;

/**
 * Whether a line may introduce the text directly below it: a client's has an address or a colon. "On 5 January 2026 at
 * 10:30 Ada wrote" above "to the landlord." is a sentence of the writer's.
 */
const introducesDirectly = (line: string): boolean => /@|[:：]$/.test(line) && saysWhoWrote(line);

interface Signs {
  address: boolean;
  time: boolean;
  date: boolean;
  lead: boolean;
  quoted: boolean;
}

function verbHeader(line: string, signs: Signs): boolean {
  if (COMPARING.test(line) && !signs.address) return false;
  if (PROSE.test(line) && !signs.address) return signs.quoted;
  if (signs.lead) return signs.address || signs.time || signs.date;
  if (signs.address) return VERB_AT_END.test(line) || signs.date || signs.time;
  if (signs.date && signs.time) return true;
  const atEnd = VERB_AT_END.test(line);
  const words = wordsOf(line).filter((word) => !isDateWord(word)).length;
  if (signs.quoted) return words <= WORDS_OF_A_NAME && (atEnd || namesWhoAndWhen(line));
  return atEnd && words <= WORDS_OF_A_DATED_NAME && YEAR.test(line) && namesDay(line) && startsDated(line);
}

function namesWhoAndWhen(line: string): boolean {
  const [, before = "", behind = ""] = VERB_FIRST.exec(line) ?? [];
  return behind !== "" && (before === "" || SAYS_WHEN.test(before) || SAYS_WHEN.test(behind));
}

/** Tutanota's "Jan 5, 2026, 10:15 by ada@example.com:". */
function isDateAndAddress(line: string): boolean {
  const [, date = ""] = /^(.{8,80}?) \p{L}{1,4} \S+@\S+:$/u.exec(line) ?? [];
  return date !== "" && wordsOf(date).every(isDateWord);
}

function bareDate(line: string): boolean {
  return (
    (ISO_START.test(line) && /[>)]$/.test(line)) ||
    (VERB_AT_END.test(line) && (LEAD.test(line) || startsDated(line)))
  );
}

function startsDated(line: string): boolean {
  return /\d/.test(line.slice(0, DIGIT_WITHIN));
}

function startsAnew(bare: string): boolean {
  return (
    LEAD.test(bare) &&
    /^\S+ (?:\S+ ){0,2}?\S*\d/.test(bare.slice(0, DIGIT_WITHIN)) &&
    !/^(?:a|à|at|v|в|о|u|ב)\s/.test(bare)
  );
}

/** Whether a line that begins like a header is the rest of one: its time of day, or the end of its brackets. */
function continuesDate(above: string, bare: string): boolean {
  if (above.lastIndexOf("(") > above.lastIndexOf(")")) return true;
  return /^\S+ \d{1,2} ?[:.h]\d{2}/.test(bare) && !TIME.test(above) && (YEAR.test(above) || DAY.test(above));
}

// "Call me at 5" above "Jo <jo@example.com> wrote:" is not part of the header.
function startsLater(first: string, last: string, quoted: boolean): boolean {
  if (first.endsWith("<") || LEAD.test(first) || YEAR.test(first) || DAY.test(first)) return false;
  // A verb that begins the line has its name on the line above.
  return VERB.exec(last)?.index !== 0 && isReplyHeader(last, quoted);
}

/** Returns a quote mark other than ">": a bar or, in The Bat!, the writer's initials before it. Empty without one. */
export function barOf({ text }: Line): string {
  if (text.startsWith("|")) return "|";
  // Hardly any line has a ">" this early.
  return text.slice(0, INITIALS_CHARS).includes(">") ? (INITIALS.exec(text)?.[1] ?? "") : "";
}

/** Whether a line is a date, below the name to which it belongs, and a quote follows. */
const isDatedAboveQuote = (lines: readonly Line[], at: number): boolean =>
  TIME.test(lines[at]?.bare ?? "") && quoteFollows(lines, at + 1);

/** Whether a quote starts at `from`, or below blank lines. Bars below a line that has one itself are a table. */
function quoteFollows(lines: readonly Line[], from: number): boolean {
  const next = lines[nextFilled(lines, from)] ?? lines[from];
  if (next === undefined) return false;
  const barred = barOf(next) !== "" && lines[from - 1]?.text.startsWith("|") !== true;
  return next.quoted || lines[from]?.quoted === true || barred;
}

// A loop, because a pattern that ends in "$" is quadratic on a long row of dashes.
function withoutRules(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && "-_= ".includes(text.charAt(from))) from += 1;
  while (to > from && "-_= ".includes(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

function verbsBeforeNames(): string[] {
  return REPLY_HEADER_WORDS.flatMap(({ days, verbs: words }) => (days === undefined ? [] : words)).sort(
    byLength,
  );
}

function byLength(a: string, b: string): number {
  return b.length - a.length;
}

function escaped(word: string): string {
  return word.replace(/[()/.]/g, "\\$&");
}
