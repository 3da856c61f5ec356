import type { Found } from "../found.ts";
import { around, isNamed, type Span, wordFinder } from "./naming-words.ts";

/** A kind of number that counts only near a word that names it. */
export interface NamedNumber {
  kind: string;
  /** How it is written, as the source of a regular expression. */
  pattern: string;
  words: readonly string[];
  /**
   * Whether its check digits are right. The number comes without blanks, dots, dashes and the like, and as it is
   * written; both in upper case.
   */
  isValid(compact: string, written: string): boolean;
}

const LONGEST_CHARS = 40;
/** Characters that may not touch a number, which would be part of a word; scripts without blanks may. */
export const JOINED = "[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{N}]";

/** Finds the numbers of these kinds, each with a word near that names it. */
export function numberFinder(kinds: readonly NamedNumber[]): (text: string) => Found[] {
  const prepared = kinds.map(({ pattern, words, ...kind }) => ({
    ...kind,
    wordsIn: wordFinder(words),
    whole: new RegExp(`^(?:${pattern})$`, "iu"),
    // Part of something longer, such as a hash, an address or another number: not this.
    pattern: new RegExp(`(?<!${JOINED}[-./+=_@]?)(?:${pattern})(?![-./+=_@]?${JOINED})`, "giu"),
  }));
  return (text) =>
    prepared.flatMap(({ kind, pattern, whole, wordsIn, isValid }) => {
      const words = wordsIn(text);
      return around(words, text.length, LONGEST_CHARS)
        .flatMap((window) => spansIn(text, window, pattern))
        .filter((span) => isNamed(words, span))
        .flatMap((span) => {
          const found = runsOf(text, span)
            .map(({ start, end }) => ({ start, end, written: text.slice(start, end) }))
            .find(({ written }) => whole.test(written) && isValid(compactOf(written), written.toUpperCase()));
          if (found === undefined) return [];
          const { written, ...place } = found;
          return [{ code: "personal_data" as const, kind, ...place, value: compactOf(written) }];
        });
    });
}

const MAX_GROUPS = 8;

/** Splits groups of digits into the numbers that may be meant: all, or fewer where another number stands beside. Longest first. */
function runsOf(text: string, { start, end }: Span): Span[] {
  const groups = [...text.slice(start, end).matchAll(/[^ \u00a0]+/g)]
    .slice(0, MAX_GROUPS)
    .map(({ 0: group, index }) => ({ start: start + index, end: start + index + group.length }));
  return groups
    .flatMap((first, index) => groups.slice(index).map((last) => ({ start: first.start, end: last.end })))
    .toSorted((one, other) => other.end - other.start - (one.end - one.start));
}

/** A little of what surrounds the window belongs to the pattern's conditions. */
const EDGE_CHARS = 2;

function spansIn(text: string, { start, end }: Span, pattern: RegExp): Span[] {
  const from = Math.max(0, start - EDGE_CHARS);
  return [...text.slice(from, end + EDGE_CHARS).matchAll(pattern)].map(({ 0: number, index }) => ({
    start: from + index,
    end: from + index + number.length,
  }));
}

const compactOf = (number: string): string => number.replace(/[^\p{L}\p{N}]/gu, "").toUpperCase();
