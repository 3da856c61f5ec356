import type { Word } from "./words.ts";

/** This many repetitions in a row are said to nobody. */
const FLOOD_WORDS = 25;
/** In a text that says little else, this many are enough. */
const FEW_FLOOD_WORDS = 8;
const MOST_OF_TEXT = 0.4;
/** The longest group of words whose repetition is noticed. */
const MAX_PERIOD = 4;

/** Words of the same text; the hashes of others nearly always differ. */
const isSame = (one: Word | undefined, other: Word | undefined): boolean =>
  one?.spelling.hash === other?.spelling.hash && one?.text === other?.text;

/**
 * Where a word, or a group of up to four, is repeated over and over, as is done to wear a model's attention out; null if
 * nowhere. One comparison per word and length of group.
 */
export function floodOf(words: readonly Word[]): Word | null {
  for (let period = 1; period <= MAX_PERIOD; period += 1) {
    let run = 1;
    for (let at = period; at < words.length; at += 1) {
      run = isSame(words[at], words[at - period]) ? run + 1 : 1;
      if (run >= FLOOD_WORDS || (run >= FEW_FLOOD_WORDS && run >= words.length * MOST_OF_TEXT))
        return words[at - run + 1] ?? null;
    }
  }
  return null;
}
