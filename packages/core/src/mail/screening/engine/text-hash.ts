import { textOf } from "./utf16-units.ts";

/** Extends a text's hash by one UTF-16 unit (FNV-1a); the hash of an empty text is 0. */
export const stepOfHash = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);

/** The hash of a text. */
export function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = stepOfHash(hash, text.charCodeAt(at));
  return hash;
}

/** Returns the hash of a part of a text, given by its units. */
export function hashBetween(units: Uint16Array, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at += 1) hash = stepOfHash(hash, units[at] ?? 0);
  return hash;
}

/** The remembered result for the text of a word. */
interface Known<T> {
  text: string;
  hash: number;
  result: T;
}

/** A hash has a few slots; a new text replaces one of their texts. */
const PLACES = 1 << 12;
const PLACES_OF_ONE = 4;
const PLACE_BITS = PLACES - 1;

/**
 * Returns a pure function of a word's text that remembers its results. The text is given by its units and its hash, so
 * that no string is created for a remembered one. Words chosen for their colliding hashes only displace each other: a
 * look-up compares at most PLACES_OF_ONE others.
 */
export function rememberingSpellings<T>(
  work: (text: string) => T,
): (units: Uint16Array, start: number, length: number, hash: number) => T {
  const remembered: Array<Known<T> | undefined> = Array.from({ length: PLACES }, () => undefined);
  return (units, start, length, hash) => {
    let free = (hash + ((hash >>> 16) & (PLACES_OF_ONE - 1))) & PLACE_BITS;
    for (let nth = 0; nth < PLACES_OF_ONE; nth += 1) {
      const place = (hash + nth) & PLACE_BITS;
      const known = remembered[place];
      if (known === undefined) {
        free = place;
        break;
      }
      if (known.hash === hash && isAt(units, start, length, known.text)) return known.result;
    }
    const text = textOf(units, start, start + length);
    const result = work(text);
    remembered[free] = { text, hash, result };
    return result;
  };
}

function isAt(units: Uint16Array, start: number, length: number, word: string): boolean {
  if (word.length !== length) return false;
  for (let at = 0; at < word.length; at += 1) if (units[start + at] !== word.charCodeAt(at)) return false;
  return true;
}
