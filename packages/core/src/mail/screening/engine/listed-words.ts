import { hashOf } from "./text-hash.ts";
import { unitsOf } from "./utf16-units.ts";

/** The number of a word that isn't listed. */
export const UNLISTED = -1;

/** Finds the number of a text, given by its units and its hash. */
type FindListed = (units: Uint16Array, start: number, length: number, hash: number) => number;

/** The number of slots: at least twice as many as words, and a power of two. */
const slotsFor = (count: number): number => 2 ** Math.ceil(Math.log2(2 * count + 1));

/** The fields of a word's slot: its hash, its number, and the position of its letters among those of all words. */
const [HASH, NUMBER, LETTERS, LENGTH] = [0, 1, 2, 3];
const SLOT = 4;

/**
 * Returns a function that finds the number of a word among some texts; UNLISTED if it is none of them. Slots are tried
 * in order until an empty one. A bitmap of the filled slots fits in the processor's cache, unlike the slots.
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
