import { CELLS, HASH, isSameText, LINE, type Words } from "./words.ts";

/** This many repetitions in a row are said to nobody. */
const FLOOD_WORDS = 25;
/** In a text that says little else, this many are enough. */
const FEW_FLOOD_WORDS = 8;
const MOST_OF_TEXT = 0.4;
/** The longest group of words whose repetition is noticed. */
const MAX_PERIOD = 4;

/**
 * The line, from 1, where a word, or a group of up to four, is repeated over and over, as is done to wear a model's attention
 * out; null if nowhere. One comparison per word and length of group.
 */
export function floodOf(words: Words): number | null {
  const { count, table } = words;
  for (let period = 1; period <= MAX_PERIOD; period += 1) {
    let run = 1;
    for (let at = period; at < count; at += 1) {
      const is_likely = table[at * CELLS + HASH] === table[(at - period) * CELLS + HASH];
      run = is_likely && isSameText(words, at, at - period) ? run + 1 : 1;
      if (run >= FLOOD_WORDS || (run >= FEW_FLOOD_WORDS && run >= count * MOST_OF_TEXT))
        return table[(at - run + 1) * CELLS + LINE] ?? null;
    }
  }
  return null;
}
