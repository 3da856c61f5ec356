import { ANY_LANGUAGE } from "../words/languages.ts";
import {
  isPayee,
  type MeaningIndex,
  meaningsAmong,
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

/** Looks up the words of texts. */
interface MeaningReader {
  /** The number of a word that is listed as it is written; UNLISTED of all others. */
  numberOf(words: Words, nth: number): number;
  /**
   * The meaning of a word with that number in a text of some languages, given as bits; null if it has none. Most spellings
   * are looked up once and remembered.
   */
  meaningOf(words: Words, nth: number, number: number, languages: number): WordMeanings | null;
}

/** Creates a reader of these indexes; `others` are words without a meaning that get a number too. */
export function meaningReader(
  indexes: readonly MeaningIndex[],
  others: readonly string[] = [],
): MeaningReader {
  const meant = (text: string) => meaningsOf(indexes, text, isPayee(text) ? "payee" : null);
  const texts = [...new Set([...others, ...indexes.flatMap(({ words }) => [...words.keys()])])];
  const find = listedWords(texts);
  const listed: Array<WordMeanings | null | undefined> = texts.map(() => undefined);
  const unlisted = rememberingSpellings(meant);
  const addresses = rememberingSpellings((text) => meaningsOf(indexes, text, "address"));
  let any_address: WordMeanings | null = null;
  const mayMean = meaningFilter(indexes);
  const ofNumber = (number: number, units: Uint16Array, start: number, length: number) => {
    const known = listed[number];
    return known === undefined ? (listed[number] = meant(textOf(units, start, start + length))) : known;
  };
  const lookUp = (units: Uint16Array, start: number, length: number, hash: number, marks: number) => {
    const number = find(units, start, length, hash);
    if (number !== UNLISTED) return ofNumber(number, units, start, length);
    return mayMean(units, start, length, marks) ? unlisted(units, start, length, hash) : null;
  };
  const meaningIn = (words: Words, nth: number, number: number): WordMeanings | null => {
    const { table, units } = words;
    const cell = nth * CELLS;
    const start = table[cell + START] ?? 0;
    const length = table[cell + LENGTH] ?? 0;
    if (number !== UNLISTED) return ofNumber(number, units, start, length);
    const hash = table[cell + HASH] ?? 0;
    const marks = table[cell + MARKS] ?? 0;
    if ((marks & (NAME | ADDRESS | COMPOSED)) === 0)
      return mayMean(units, start, length, marks) ? unlisted(units, start, length, hash) : null;
    if ((marks & NAME) !== 0)
      return (marks & ADDRESS) === 0 ? null : (any_address ??= meaningsOf(indexes, "", "address"));
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
  return {
    numberOf({ table, units }, nth) {
      const cell = nth * CELLS;
      if (((table[cell + MARKS] ?? 0) & (NAME | ADDRESS | COMPOSED)) !== 0) return UNLISTED;
      return find(units, table[cell + START] ?? 0, table[cell + LENGTH] ?? 0, table[cell + HASH] ?? 0);
    },
    meaningOf(words, nth, number, languages) {
      const whole = meaningIn(words, nth, number);
      return whole === null || languages === ANY_LANGUAGE ? whole : meaningsAmong(indexes, whole, languages);
    },
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
