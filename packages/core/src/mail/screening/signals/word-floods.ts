import { CELLS, HASH, isSameText, LINE, type Words } from "../engine/words.ts";

/** This many repetitions in a row are said to nobody. */
const FLOOD_WORDS = 25;
/** In a text that says little else, this many are enough. */
const FEW_FLOOD_WORDS = 8;
const MOST_OF_TEXT = 0.4;
/** `mayRepeat` starts at the fifth word, so it may miss three comparisons of a run. */
const LEAST_REPEATED = FEW_FLOOD_WORDS - 1 - 3;
/** The longest group of words whose repetition is noticed. */
const MAX_PERIOD = 4;

/**
 * The line, from 1, where a word, or a group of up to four, is repeated over and over, as is done to wear a model's attention
 * out; null if nowhere. One comparison per word and length of group.
 */
export function floodOf(words: Words): number | null {
  if (!mayRepeat(words)) return null;
  const { count, table } = words;
  for (let period = 1; period <= MAX_PERIOD; period += 1) {
    let run = 1;
    for (let at = period; at < count; at += 1) {
      run = isSameText(words, at, at - period) ? run + 1 : 1;
      if (run >= FLOOD_WORDS || (run >= FEW_FLOOD_WORDS && run >= count * MOST_OF_TEXT))
        return table[(at - run + 1) * CELLS + LINE] ?? null;
    }
  }
  return null;
}

/** Whether so many hashes in a row are the same as so far before: nearly no text has them, and needs no closer look. */
function mayRepeat({ table }: Words): boolean {
  let [one, two, three, four] = [0, 0, 0, 0];
  for (let cell = MAX_PERIOD * CELLS + HASH; cell < table.length; cell += CELLS) {
    const hash = table[cell];
    one = hash === table[cell - CELLS] ? one + 1 : 0;
    two = hash === table[cell - 2 * CELLS] ? two + 1 : 0;
    three = hash === table[cell - 3 * CELLS] ? three + 1 : 0;
    four = hash === table[cell - 4 * CELLS] ? four + 1 : 0;
    if (Math.max(one, two, three, four) >= LEAST_REPEATED) return true;
  }
  return false;
}
