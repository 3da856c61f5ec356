import { plainWords, withoutGreeting } from "./answer-text.ts";
import { hanNumber, NUMBER_WORDS } from "./number-words.ts";

const MAX_WORDS = 8;

/**
 * Reads the only number in an answer, in digits of any script or, in a short answer, as a word. Null when
 * there is none, or several.
 */
export function readNumber(text: string): number | null {
  const said = asciiDigits(withoutGreeting(text).normalize("NFKC")).replace(/(?<=\d) (?=\d{3}(?!\d))/g, "");
  const digits = said.match(/\d/g)?.length ?? 0;
  if (digits > 0) {
    const [number = ""] = /(?<![\p{L}.,-])[-−+]?\d[\d.,'’\u202f]*/u.exec(said) ?? [];
    // Part of something longer, such as a date, or one of several numbers: not the answer.
    return (number.match(/\d/g)?.length ?? 0) === digits
      ? valueOf(number.replace(/[.,'’\u202f]+$/u, ""))
      : null;
  }
  const words = plainWords(said);
  if (words.length > MAX_WORDS) return null;
  const values = words.flatMap((word) => NUMBER_WORDS.get(word) ?? hanNumber(withoutCounter(word)) ?? []);
  return values.length === 1 ? (values[0] ?? null) : null;
}

/** A text with the digits of every script as 0 to 9. */
export function asciiDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let zero = code;
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String((code - zero) % 10);
  });
}

/** "三个" is three of something. */
const withoutCounter = (word: string): string =>
  word.replace(/[个個人份件次天日年月元円枚本台つ名杯回点]$/u, "");

/**
 * The value of written digits. With two kinds of separators, the last is the decimal one; one that repeats
 * separates thousands. A single separator before three digits is ambiguous, so it is read only where people
 * mean the same either way: round thousands, and where the digits before it can't be thousands.
 */
function valueOf(written: string): number | null {
  const sign = /^[-−]/.test(written) ? -1 : 1;
  const number = written.replace(/^[-−+]/, "").replace(/['’\u202f]/gu, "");
  const marks = number.match(/[.,]/g) ?? [];
  const [first] = marks;
  const last = marks.at(-1);
  if (first === undefined || last === undefined) return bounded(sign, number);
  if (new Set(marks).size > 1) {
    const decimal = number.lastIndexOf(last);
    if (marks.filter((mark) => mark === last).length > 1) return null;
    return bounded(sign, `${number.slice(0, decimal).replace(/[.,]/g, "")}.${number.slice(decimal + 1)}`);
  }
  if (marks.length > 1)
    return /^\d{1,3}(?:[.,]\d{3})+$/.test(number) ? bounded(sign, number.replace(/[.,]/g, "")) : null;
  const [whole = "", part = ""] = number.split(first);
  if (part.length !== 3 || whole.length > 3 || whole.startsWith("0"))
    return bounded(sign, `${whole}.${part}`);
  return part === "000" ? bounded(sign, whole + part) : null;
}

const MAX_DIGITS = 15;

function bounded(sign: number, digits: string): number | null {
  const value = sign * Number(digits);
  return digits.length <= MAX_DIGITS + 1 && Number.isFinite(value) ? value : null;
}
