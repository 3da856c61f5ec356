import { hashOf } from "./spellings.ts";
import { unitsOf } from "./units.ts";

/** The number of a word that isn't listed. */
export const UNLISTED = -1;

/** Finds the number of a text, given by its units and its hash. */
type FindListed = (units: Uint16Array, start: number, length: number, hash: number) => number;

/** Twice as many slots as there are words, or more, in a power of two. */
const slotsFor = (count: number): number => 2 ** Math.ceil(Math.log2(2 * count + 1));

/** What a slot has of its word: its hash, its number, and where its letters are among those of all. */
const [HASH, NUMBER, LETTERS, LENGTH] = [0, 1, 2, 3];
const SLOT = 4;

/**
 * Finds the number of a word among some texts; UNLISTED if it is none of them. Slots are tried in order until an empty one. A
 * bitmap says which are filled: it fits in the processor's cache, and the slots don't.
 */
export function listedWords(texts: readonly string[]): FindListed {
  const last_slot = slotsFor(texts.length) - 1;
  const slots = new Int32Array((last_slot + 1) * SLOT);
  const filled = new Int32Array(Math.ceil((last_slot + 1) / 32));
  const isFilled = (slot: number): boolean => (((filled[slot >>> 5] ?? 0) >>> slot) & 1) !== 0;
  const letters = unitsOf(texts.join(""));
  let first_letter = 0;
  for (const [number, text] of texts.entries()) {
    const hash = hashOf(text);
    let slot = hash & last_slot;
    while (isFilled(slot)) slot = (slot + 1) & last_slot;
    slots.set([hash, number, first_letter, text.length], slot * SLOT);
    filled[slot >>> 5] = (filled[slot >>> 5] ?? 0) | (1 << slot);
    first_letter += text.length;
  }
  return (units, start, length, hash) => {
    let slot = hash & last_slot;
    while (isFilled(slot)) {
      const cell = slot * SLOT;
      if (slots[cell + HASH] === hash && slots[cell + LENGTH] === length) {
        const from = slots[cell + LETTERS] ?? 0;
        let same = 0;
        while (same < length && letters[from + same] === units[start + same]) same += 1;
        if (same === length) return slots[cell + NUMBER] ?? UNLISTED;
      }
      slot = (slot + 1) & last_slot;
    }
    return UNLISTED;
  };
}
