import { MAX_RULE_CHARS } from "./limits.ts";

/** One line of a mail's body, from plain text or HTML. */
export interface Line {
  /** As written, without its line break. */
  text: string;
  /**
   * The form that the rules compare: lower case, without quote marks, emphasis and invisible characters; at most
   * MAX_RULE_CHARS long.
   */
  bare: string;
  /** The words before a colon at the start, where a header has its label; empty when there are none. */
  label: string;
  /** In a quote: starts with ">" or is in an HTML element that holds quoted mail. */
  quoted: boolean;
  /** In a quote that the mail client marked as the answered mail, not just as a quote. */
  answered: boolean;
  /** The mail client itself marked everything from here on as history (such as Outlook's reply header). */
  history: boolean;
  /** The mail client itself marked it as a signature. */
  signature: boolean;
}

// Direction marks, zero-width characters, soft hyphens, the BOM, and the mark that a Gmail tracker leaves
// (U+1427).
const INVISIBLE_CHARS = "\\u00ad\\u061c\\u1427\\u200b-\\u200f\\u202a-\\u202e\\u2060\\u2066-\\u2069\\ufeff";
const INVISIBLE = new RegExp(`[${INVISIBLE_CHARS}]`, "g");
// The lower case of a dotted capital I.
const TURKISH_I = /i\u0307/g;
const QUOTE_MARKS = /^(?:\s*>)+ ?/;
/** The signs that plain text puts around what was bold or slanted, or before each line. */
const LABEL = /^[_/#|~ ]{0,4}([\p{L}\p{M}][\p{L}\p{M} -]{0,24}?)[_/~]{0,2} ?[:：]/u;
const LABEL_CHARS = 34;
/** Arabic, Persian, the scripts of India, Thai, Lao, Burmese, Khmer and full width. */
const DIGIT_ZEROS = [
  0x0660, 0x06f0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0e50, 0x0ed0,
  0x1040, 0x17e0, 0xff10,
];
const OTHER_DIGIT_CHARS = DIGIT_ZEROS.map(
  (zero) => `${String.fromCharCode(zero)}-${String.fromCharCode(zero + 9)}`,
).join("");
const OTHER_DIGITS = new RegExp(`[${OTHER_DIGIT_CHARS}]`, "g");
/** The mark of characters that must be cleaned. Most lines, in any script, have none. */
const UNCLEAN = 1;
/** The mark of characters that occur in labels and addresses. */
const TELLING = 2;
/** The marks of each UTF-16 unit: a look-up is far faster than a pattern for so many ranges. */
const MARKS = marksOfUnits();

function marksOfUnits(): Uint8Array {
  const marks = new Uint8Array(0x1_0000);
  const bytes = Buffer.alloc(2 * marks.length);
  for (let unit = 0; unit < marks.length; unit += 1) bytes.writeUInt16LE(unit, 2 * unit);
  const units = bytes.toString("utf16le");
  const unclean = new RegExp(`[*>\\u0130\\u0307${INVISIBLE_CHARS}${OTHER_DIGIT_CHARS}]|[^\\S ]`, "g");
  for (const { index } of units.matchAll(unclean)) marks[index] = UNCLEAN;
  for (const { index } of units.matchAll(/[:：@]/g)) marks[index] = TELLING;
  return marks;
}

const [SPACE, DASH] = [0x20, 0x2d];

/** Combines the marks of a part of a text. Two consecutive spaces are unclean, and two dashes are telling. */
function marksOf(text: string, start: number, end: number): number {
  let marks = 0;
  let before = 0;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    marks |= MARKS[code] as number;
    if (code === before && (code === SPACE || code === DASH)) marks |= code === SPACE ? UNCLEAN : TELLING;
    before = code;
  }
  return marks;
}

/** Creates the line of a plain text mail. */
export function textLine(text: string): Line {
  const bare = bareOf(text);
  return lineWith(text, bare, labelOf(bare), isQuoted(text));
}

const lineWith = (text: string, bare: string, label: string, quoted: boolean): Line => ({
  text,
  bare,
  label,
  quoted,
  answered: false,
  history: false,
  signature: false,
});

/**
 * Returns a function that makes the line starting at `start`, given without trailing blanks; undefined if it has marks
 * or is long. Lower case is taken from the whole text at once: a line's doesn't depend on other lines.
 */
export function plainLines(text: string): (start: number, line: string) => Line | undefined {
  const lower = text.toLowerCase();
  // A dotted capital I takes two characters in lower case, which shifts all later positions.
  if (lower.length !== text.length) return () => undefined;
  return (start, line) => {
    const end = start + line.length;
    return line.length > MAX_RULE_CHARS || marksOf(text, start, end) > 0
      ? undefined
      : lineWith(line, lower.slice(start, end).trimStart(), "", false);
  };
}

/** Lower case, single spaces, Western digits; no quote marks, asterisks or invisible characters. */
export function bareOf(text: string): string {
  if (text === "") return "";
  const said = text.includes(">")
    ? text.slice(0, MAX_RULE_CHARS).replace(QUOTE_MARKS, "")
    : text.slice(0, MAX_RULE_CHARS);
  if ((marksOf(said, 0, said.length) & UNCLEAN) === 0) return said.trim().toLowerCase();
  return said
    .replace(INVISIBLE, "")
    .replace(QUOTE_MARKS, "")
    .replace(/\*/g, "")
    .replace(OTHER_DIGITS, westernDigit)
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase()
    .replace(TURKISH_I, "i");
}

/** The text of a quoted line without its marks. */
export const withoutMarks = (text: string): string => text.replace(QUOTE_MARKS, "");

/** Whether the line is blank, or has only quote marks or invisible characters. */
export function isBlank(line: Line | undefined): boolean {
  return line === undefined || (line.bare === "" && !/[*]/.test(line.text));
}

/** The index of the first non-blank line at or after `from`, or the number of lines. */
export function nextFilled(lines: readonly Line[], from: number): number {
  let at = from;
  while (at < lines.length && isBlank(lines[at])) at += 1;
  return at;
}

function isQuoted(text: string): boolean {
  if (text === "" || !text.slice(0, 4).includes(">")) return false;
  return /^\s{0,3}>/.test(text) && !isDecorated(text) && !isBracketed(text);
}

// ">>> offer <<<". A quoted line that ends with one "<" was wrapped within an address or a comparison.
const isDecorated = (text: string): boolean => /<<\s*$/.test(text.slice(-20)) && /^\s*>>/.test(text);

/**
 * Whether a line is GroupWise's introduction of an unmarked quote: ">>> Ada <ada@example.com> 1/5/2026 12:34 PM >>>".
 */
export const isBracketed = (text: string): boolean =>
  text.startsWith(">>>") && text.length <= MAX_RULE_CHARS && /^>{3} ?[^>\s].*[\d@].*>>>\s*$/.test(text);

function labelOf(bare: string): string {
  return /[:：]/.test(bare.slice(0, LABEL_CHARS)) ? (LABEL.exec(bare)?.[1] ?? "") : "";
}

function westernDigit(digit: string): string {
  const code = digit.charCodeAt(0);
  const zero = DIGIT_ZEROS.find((start) => code >= start && code < start + 10) ?? code;
  return String(code - zero);
}
