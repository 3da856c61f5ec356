import { withoutGreeting } from "./answer-text.ts";
import { asciiDigits } from "./read-number.ts";

/** A whole number at the start of a line, with what people put before and after it: "2.", "#2:", "No. 2 -". */
const NUMBER = /^[ \t>*]*(?:#|№|no?[.°º]?|nr\.?|question)?[ \t]*(\d{1,4})(?![\d]|[.,:]\d)[.):,\-–—\s]*/iu;

/**
 * The number with which a reply says which of several questions it answers, and its words after that. Undefined when
 * it begins with none of the numbers, or when later lines begin with others.
 */
export function readQuestionNumber(
  text: string,
  numbers: readonly number[],
): { number: number; words: string } | undefined {
  const said = asciiDigits(withoutGreeting(text).normalize("NFKC"));
  const [first, ...others] = said.split("\n").map((line) => Number(NUMBER.exec(line)?.[1] ?? Number.NaN));
  if (first === undefined || !numbers.includes(first)) return undefined;
  if (others.some((number) => number !== first && numbers.includes(number))) return undefined;
  return { number: first, words: said.replace(NUMBER, "") };
}
