import {
  isPayee,
  type MeaningIndex,
  meaningsOf,
  SHORTEST_SLIP,
  STEM_KEY_CHARS,
  WATCHED,
  type WordMeanings,
} from "../words/word-meanings.ts";
import { listedWords, UNLISTED } from "./listed-words.ts";
import { rememberingSpellings } from "./text-hash.ts";
import { textOf, unitsOf } from "./utf16-units.ts";
import {
  ADDRESS,
  CELLS,
  COMPOSED,
  HASH,
  isUnspaced,
  LENGTH,
  MARKS,
  NAME,
  NUMBER,
  START,
  textAt,
  UNSPACED,
  type Words,
} from "./words.ts";

/**
 * Returns a function that looks up the meaning of a word in these indexes, or null if it has none. Most spellings are
 * looked up once and remembered.
 */
export function meaningReader(
  indexes: readonly MeaningIndex[],
): (words: Words, nth: number) => WordMeanings | null {
  const meant = (text: string) => meaningsOf(indexes, text, isPayee(text) ? "payee" : null);
  const texts = [...new Set(indexes.flatMap(({ words }) => [...words.keys()]))];
  const find = listedWords(texts);
  const listed: Array<WordMeanings | null | undefined> = texts.map(() => undefined);
  const others = rememberingSpellings(meant);
  const addresses = rememberingSpellings((text) => meaningsOf(indexes, text, "address"));
  let any_address: WordMeanings | null = null;
  const mayMean = meaningFilter(indexes);
  const lookUp = (units: Uint16Array, start: number, length: number, hash: number, marks: number) => {
    const number = find(units, start, length, hash);
    if (number === UNLISTED)
      return mayMean(units, start, length, marks) ? others(units, start, length, hash) : null;
    const known = listed[number];
    return known === undefined ? (listed[number] = meant(textOf(units, start, start + length))) : known;
  };
  return (words, nth) => {
    const { table, units } = words;
    const cell = nth * CELLS;
    const start = table[cell + START] ?? 0;
    const length = table[cell + LENGTH] ?? 0;
    const hash = table[cell + HASH] ?? 0;
    const marks = table[cell + MARKS] ?? 0;
    if ((marks & NAME) !== 0)
      return (marks & ADDRESS) === 0 ? null : (any_address ??= meaningsOf(indexes, "", "address"));
    if ((marks & (ADDRESS | COMPOSED)) === 0) return lookUp(units, start, length, hash, marks);
    const [its_units, its_start] =
      (marks & COMPOSED) === 0 ? [units, start] : [unitsOf(textAt(words, nth)), 0];
    const is_address = (marks & ADDRESS) !== 0;
    // A short stem counts only here.
    if (is_address && length < STEM_KEY_CHARS) return addresses(its_units, its_start, length, hash);
    const meanings = lookUp(its_units, its_start, length, hash, marks);
    if (!is_address) return meanings;
    // All addresses without another meaning share one result.
    if (meanings === null) return (any_address ??= meaningsOf(indexes, "", "address"));
    return addresses(its_units, its_start, length, hash);
  };
}

/** A power of two, so large that most beginnings and ends of words have a slot of their own. */
const PART_PLACES = 1 << 14;

/** Returns the slot of three units. */
const partPlace = (one: number, two: number, three: number): number =>
  (one + 31 * two + 961 * three) & (PART_PLACES - 1);

/**
 * The lengths of words that begin or end with three units, one bit for each; the last bit also stands for all longer
 * ones.
 */
type LengthsByPart = Uint16Array;
const LONGEST = 15;

function noteLengths(lengths: LengthsByPart, part: string, least: number, most: number): void {
  const place = partPlace(part.charCodeAt(0), part.charCodeAt(1), part.charCodeAt(2));
  for (let length = Math.min(least, LONGEST); length <= most; length += 1)
    lengths[place] = (lengths[place] ?? 0) | (1 << length);
}

/** Whether an unlisted word may have a meaning. False for nearly all words without one; true also for a few of them. */
function meaningFilter(
  indexes: readonly MeaningIndex[],
): (units: Uint16Array, start: number, length: number, marks: number) => boolean {
  const [begins, ends] = [new Uint16Array(PART_PLACES), new Uint16Array(PART_PLACES)];
  for (const { stems } of indexes) for (const stem of stems) noteLengths(begins, stem, stem.length, LONGEST);
  // A typo is one letter more, less or changed, or two swapped, so the first or the last three letters remain.
  for (const word of WATCHED) {
    const [least, most] = [Math.max(word.length - 1, SHORTEST_SLIP), word.length + 1];
    noteLengths(begins, word, least, most);
    noteLengths(ends, word.slice(-STEM_KEY_CHARS), least, most);
  }
  return (units, start, length, marks) => {
    if ((marks & UNSPACED) !== 0) return true;
    const is_composed = (marks & COMPOSED) !== 0;
    if (length < STEM_KEY_CHARS) return is_composed && isUnspaced(textOf(units, start, start + length));
    if (is_composed) return true;
    const its_bit = 1 << Math.min(length, LONGEST);
    const begin = partPlace(units[start] ?? 0, units[start + 1] ?? 0, units[start + 2] ?? 0);
    if (((begins[begin] ?? 0) & its_bit) !== 0) return true;
    if (length < SHORTEST_SLIP) return false;
    if ((marks & NUMBER) !== 0) return true;
    const last = start + length - 1;
    return (
      ((ends[partPlace(units[last - 2] ?? 0, units[last - 1] ?? 0, units[last] ?? 0)] ?? 0) & its_bit) !== 0
    );
  };
}
