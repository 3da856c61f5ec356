import { foldEach } from "./fold-each.ts";
import { latinisedWords, plainLetters } from "./plain-letters.ts";
import { textOfAll, unitsOf } from "./utf16-units.ts";

/** A folded text. */
export interface Folded {
  text: string;
  units: Uint16Array;
  /** The original text has only ASCII characters. */
  is_ascii: boolean;
  /** Some of its words were split at case changes. */
  is_split: boolean;
}

/**
 * Text normalised for the word rules: compatibility forms unified, invisible characters and accents removed,
 * lower case, and look-alike letters made Latin in words that also have Latin ones. A case change inside a
 * long word becomes a space. Linear.
 */
export const foldText = (text: string): string => fold(text).text;

/** Folds a text as `foldText` does, and also returns its units. */
export function fold(text: string): Folded {
  const is_ascii = isAscii(text);
  const split = splitHumps(text);
  const is_split = split !== text;
  const each = is_ascii ? null : foldEach(split);
  if (each !== null && !each.mixes_scripts)
    return { text: textOfAll(each.units), units: each.units, is_ascii, is_split };
  const folded = is_ascii
    ? split.toLowerCase()
    : latinisedWords(each === null ? plainLetters(split) : textOfAll(each.units));
  return { text: folded, units: unitsOf(folded), is_ascii, is_split };
}

/** Whether a text has only ASCII characters; takes a tenth of the time of a pattern. */
const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

const HUMPED_WORD = /\b[A-Za-z]?[a-z]{2,}(?:[A-Z][a-z]{2,}){2,}\b/g;

/** Inserts a space at each case change inside long words; most texts stay unchanged. */
function splitHumps(text: string): string {
  return HUMPS.test(text)
    ? text.replace(HUMPED_WORD, (word) => word.replace(/([a-z])([A-Z])/g, "$1 $2"))
    : text;
}

/** A part that every such word contains. */
const HUMPS = /[a-z]{2}[A-Z][a-z]{2,}[A-Z][a-z]{2}/;

/** Whether one word mixes Latin letters with Cyrillic or Greek ones. */
export function mixesScripts(word: string): boolean {
  return /[A-Za-z]/.test(word) && /[\u0370-\u03BB\u03BD-\u03FF\u0400-\u052F]/.test(word);
}

/** Counts the words of a text that mix scripts, up to `enough`. A single one is often a formula or a typo. */
export function mixedWords(text: string, enough: number): number {
  if (!/[\u0370-\u03FF\u0400-\u052F]/.test(text)) return 0;
  let count = 0;
  for (const [word] of text.matchAll(/[A-Za-z\u0370-\u03FF\u0400-\u052F]{3,}/g)) {
    if (mixesScripts(word)) count += 1;
    if (count >= enough) break;
  }
  return count;
}
