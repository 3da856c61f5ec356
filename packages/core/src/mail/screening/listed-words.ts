import { hashOf } from "./spellings.ts";
import { unitsOf } from "./units.ts";
import { CELLS, COMPOSED, HASH, LENGTH, MARKS, START, textAt, type Words } from "./words.ts";

/** The number of a word that isn't listed. */
export const UNLISTED = -1;

/** Where the numbers of listed words are: twice as many slots as there are words, or more, in a power of two. */
const slotsFor = (count: number): number => 2 ** Math.ceil(Math.log2(2 * count + 1));

/**
 * Finds the number of a word among some texts, by its hash; UNLISTED if it is none of them. The slots are looked through until an empty one;
 * a bit for each says first whether it isn't, since they take more memory than a processor has at hand.
 */
export function listedWords(texts: readonly string[]): (words: Words, nth: number) => number {
  const last_slot = slotsFor(texts.length) - 1;
  const [hashes, numbers] = [new Int32Array(last_slot + 1), new Int32Array(last_slot + 1).fill(UNLISTED)];
  const filled = new Int32Array((last_slot + 1) / 32 + 1);
  const starts = new Int32Array(texts.length + 1);
  const letters = unitsOf(texts.join(""));
  for (const [number, text] of texts.entries()) {
    starts[number + 1] = (starts[number] ?? 0) + text.length;
    const hash = hashOf(text);
    let slot = hash & last_slot;
    while ((numbers[slot] ?? 0) >= 0) slot = (slot + 1) & last_slot;
    hashes[slot] = hash;
    numbers[slot] = number;
    filled[slot >>> 5] = (filled[slot >>> 5] ?? 0) | (1 << slot);
  }
  const isAt = (number: number, units: Uint16Array, start: number, length: number): boolean => {
    const from = starts[number] ?? 0;
    if ((starts[number + 1] ?? 0) - from !== length) return false;
    for (let at = 0; at < length; at += 1) if (letters[from + at] !== units[start + at]) return false;
    return true;
  };
  const find = (units: Uint16Array, start: number, length: number, hash: number): number => {
    let slot = hash & last_slot;
    while ((((filled[slot >>> 5] ?? 0) >>> slot) & 1) !== 0) {
      const number = numbers[slot] ?? 0;
      if (hashes[slot] === hash && isAt(number, units, start, length)) return number;
      slot = (slot + 1) & last_slot;
    }
    return UNLISTED;
  };
  return (words, nth) => {
    const { table, units } = words;
    const cell = nth * CELLS;
    const [length, hash] = [table[cell + LENGTH] ?? 0, table[cell + HASH] ?? 0];
    return ((table[cell + MARKS] ?? 0) & COMPOSED) === 0
      ? find(units, table[cell + START] ?? 0, length, hash)
      : find(unitsOf(textAt(words, nth)), 0, length, hash);
  };
}
