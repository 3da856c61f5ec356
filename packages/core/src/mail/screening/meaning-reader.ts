import { listedWords, UNLISTED } from "./listed-words.ts";
import { rememberingSpellings } from "./spellings.ts";
import { unitsOf } from "./units.ts";
import {
  isPayee,
  LONGEST_SLIP,
  type MeaningIndex,
  meaningsOf,
  SHORTEST_SLIP,
  STEM_KEY_CHARS,
  WATCHED,
  type WordMeanings,
} from "./word-meanings.ts";
import {
  ADDRESS,
  CELLS,
  COMPOSED,
  HASH,
  LENGTH,
  MARKS,
  NUMBER,
  START,
  textAt,
  UNSPACED,
  type Words,
} from "./words.ts";

/** Tells what words mean in some indexes. */
export interface MeaningReader {
  /** What the words of the lexicons mean, by their number. */
  listed: readonly WordMeanings[];
  /** The number of a word that stands in a lexicon as it is; else whether it means nothing, or has to be looked at. */
  numberOf(words: Words, nth: number): number;
  /** What any word means: found out once for each spelling that is remembered. */
  meaningsOf(words: Words, nth: number): WordMeanings;
}

/** A word means nothing, or something that isn't known yet. */
export const [NOTHING, UNKNOWN] = [UNLISTED, -2];

export function meaningReader(indexes: readonly MeaningIndex[]): MeaningReader {
  const texts = [...new Set(indexes.flatMap(({ words }) => [...words.keys()]))];
  const meant = (text: string) => meaningsOf(indexes, text, isPayee(text) ? "payee" : null);
  const known = rememberingSpellings(meant);
  const findListed = listedWords(texts);
  const mayMean = meaningFilter(indexes);
  return {
    listed: texts.map(meant),
    numberOf(words, nth) {
      const marks = words.table[nth * CELLS + MARKS] ?? 0;
      if ((marks & ADDRESS) !== 0) return UNKNOWN;
      const number = findListed(words, nth);
      return number !== UNLISTED || !mayMean(words, nth) ? number : UNKNOWN;
    },
    meaningsOf(words, nth) {
      const cell = nth * CELLS;
      const marks = words.table[cell + MARKS] ?? 0;
      if ((marks & ADDRESS) !== 0) return meaningsOf(indexes, textAt(words, nth), "address");
      const [start, length] = [words.table[cell + START] ?? 0, words.table[cell + LENGTH] ?? 0];
      const hash = words.table[cell + HASH] ?? 0;
      return (marks & COMPOSED) === 0
        ? known(words.units, start, length, hash)
        : known(unitsOf(textAt(words, nth)), 0, length, hash);
    },
  };
}

/** A power of two, so large that most beginnings and ends of words have a place of their own. */
const PART_PLACES = 1 << 14;

/** Where three units have their place. */
const partPlace = (one: number, two: number, three: number): number =>
  (one + 31 * two + 961 * three) & (PART_PLACES - 1);

/** Notes the first three units of some texts. */
function partsOf(texts: readonly string[]): Uint8Array {
  const parts = new Uint8Array(PART_PLACES);
  for (const text of texts) parts[partPlace(text.charCodeAt(0), text.charCodeAt(1), text.charCodeAt(2))] = 1;
  return parts;
}

/** Tells in a few looks that a word that isn't listed means nothing, as most; of some it doesn't. */
function meaningFilter(indexes: readonly MeaningIndex[]): (words: Words, nth: number) => boolean {
  // One letter more, less or changed, or two swapped: the first three letters or the last three are left.
  const begins = partsOf([...indexes.flatMap(({ stems }) => stems), ...WATCHED]);
  const ends = partsOf(WATCHED.map((word) => word.slice(-STEM_KEY_CHARS)));
  return ({ table, units }, nth) => {
    const cell = nth * CELLS;
    const [length, marks] = [table[cell + LENGTH] ?? 0, table[cell + MARKS] ?? 0];
    if ((marks & (UNSPACED | COMPOSED)) !== 0) return length > 0;
    if (length < STEM_KEY_CHARS) return false;
    const start = table[cell + START] ?? 0;
    if (begins[partPlace(units[start] ?? 0, units[start + 1] ?? 0, units[start + 2] ?? 0)] === 1) return true;
    if (length < SHORTEST_SLIP) return false;
    if ((marks & NUMBER) !== 0) return true;
    const end = start + length;
    return (
      length <= LONGEST_SLIP &&
      ends[partPlace(units[end - 3] ?? 0, units[end - 2] ?? 0, units[end - 1] ?? 0)] === 1
    );
  };
}
