import { textOf, unitsOf } from "./units.ts";

/**
 * The text of a word: mostly the same object for the same text, so that what is found out about a word is found out
 * once.
 */
export interface Spelling {
  readonly text: string;
  readonly hash: number;
  /** The parts between its underscores; none without one. */
  readonly parts: readonly Spelling[];
  /** What a reader of meanings found out, and which reader that was. */
  meaning: unknown;
  meant_by: object | undefined;
}

/** A word with underscores is read as a whole, and as at most this many parts. */
const MAX_PARTS = 8;
const NO_PARTS: readonly Spelling[] = [];

/** Remembered spellings: most mail has few others. Each has a few places by its hash and displaces another. */
const PLACES = 1 << 15;
const PLACES_OF_ONE = 4;
const PLACE_BITS = PLACES - 1;
const remembered: Array<Spelling | undefined> = Array.from({ length: PLACES }, () => undefined);

/** The hash of a text and one more UTF-16 unit (FNV-1a); that of an empty text is 0. */
export const stepOfHash = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);

/** The spelling of a text. */
export function spellingOf(text: string): Spelling {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = stepOfHash(hash, text.charCodeAt(at));
  return spellingBetween(unitsOf(text), 0, text.length, hash);
}

/**
 * The spelling of a part of a text, given by its units and its hash. Whoever chooses words with the same hash only makes them be
 * forgotten: a look-up compares at most PLACES_OF_ONE others.
 */
export function spellingBetween(units: Uint16Array, start: number, end: number, hash: number): Spelling {
  const length = end - start;
  let free = -1;
  for (let nth = 0; nth < PLACES_OF_ONE; nth += 1) {
    const place = (hash + nth) & PLACE_BITS;
    const known = remembered[place];
    if (known === undefined) {
      free = place;
      break;
    }
    if (known.hash === hash && known.text.length === length && isAt(units, start, known.text)) return known;
  }
  const made = madeOf(textOf(units, start, end), hash);
  remembered[free < 0 ? (hash + ((hash >>> 16) & (PLACES_OF_ONE - 1))) & PLACE_BITS : free] = made;
  return made;
}

function madeOf(text: string, hash: number): Spelling {
  const parts = text.includes("_") ? text.split("_").slice(0, MAX_PARTS).map(spellingOf) : NO_PARTS;
  return { text, hash, parts, meaning: undefined, meant_by: undefined };
}

function isAt(units: Uint16Array, start: number, word: string): boolean {
  for (let at = 0; at < word.length; at += 1) if (units[start + at] !== word.charCodeAt(at)) return false;
  return true;
}
