import { foldText } from "./fold.ts";
import { oneSlipOff } from "./slips.ts";
import { isUnspaced } from "./words.ts";

/**
 * Meaning → the words that have it, separated by spaces; `stem*` matches any ending of a stem of at least
 * three letters.
 */
export type Lexicon<Meaning extends string> = Record<Meaning, string>;

/**
 * Meanings that come from how a word is written, not from a lexicon: the start of a mail address, a number to
 * pay to.
 */
export type WrittenMeaning = (typeof WRITTEN)[number];

const WRITTEN = ["address", "payee"] as const;

/** The meanings of several lexicons that are used together, by number. */
export interface MeaningIndex {
  /** How many meanings there are; their numbers begin at 0. */
  size: number;
  /** The number of a meaning in one of the lexicons; throws when it doesn't exist. */
  idOf(lexicon: Lexicon<string>, meaning: string): number;
  /** What a word means, by how it is spelled; `plain` is its `plainWriting`. */
  meaningOf(text: string, plain: string, written: WrittenMeaning | null): WordMeaning;
  /** The words that it has as they are, and the stems. */
  words: ReadonlyMap<string, readonly number[]>;
  stems: readonly string[];
}

/** What a word means in each of some indexes; null if nothing in any, as most words. */
export type WordMeanings = readonly WordMeaning[] | null;

/** Looks up a word in some indexes. */
export function meaningsOf(
  indexes: readonly MeaningIndex[],
  text: string,
  written: WrittenMeaning | null,
): WordMeanings {
  const plain = plainWriting(text);
  const meanings = indexes.map((index) => index.meaningOf(text, plain, written));
  return meanings.every((each) => each === MEANINGLESS) ? null : meanings;
}

/** What a word means: its meanings, or the words of the lexicons inside it. */
export interface WordMeaning {
  meanings: readonly number[];
  /** The words inside a run of a script without spaces, in order; null for other words. */
  inside: readonly InnerWord[] | null;
}

/** A word inside a run of letters: how far in it starts, in characters, and its meanings. */
interface InnerWord {
  start: number;
  meanings: readonly number[];
}

/** The characters at the beginning of a word that index its stems. */
export const STEM_KEY_CHARS = 3;

const NO_MEANINGS: readonly number[] = [];
const MEANINGLESS: WordMeaning = { meanings: NO_MEANINGS, inside: null };

/** Builds one index for several lexicons. A look-up costs the same for every word. */
export function meaningIndex(lexicons: ReadonlyArray<Lexicon<string>>): MeaningIndex {
  const ids = new Map(
    lexicons.map((lexicon) => [lexicon, new Map<string, number>(WRITTEN.map((name, id) => [name, id]))]),
  );
  const exact = new Map<string, number[]>();
  const stems = new Map<string, Array<{ stem: string; id: number }>>();
  let count: number = WRITTEN.length;
  for (const [lexicon, names] of ids) {
    for (const [meaning, list] of Object.entries(lexicon)) {
      const id = count++;
      names.set(meaning, id);
      for (const entry of new Set(foldText(list).split(/\s+/u))) {
        const stem = entry.endsWith("*") ? entry.slice(0, -1) : null;
        if (stem === null) added(exact, entry, id);
        else added(stems, stem.slice(0, STEM_KEY_CHARS), { stem, id });
      }
    }
  }
  const inflected = (text: string): readonly number[] => {
    const near = stems.get(text.slice(0, STEM_KEY_CHARS));
    const found = near?.filter(({ stem }) => text.startsWith(stem)) ?? [];
    return found.length === 0 ? NO_MEANINGS : found.map(({ id }) => id);
  };
  for (const [word, listed] of exact) listed.push(...inflected(word));
  const unspaced = Map.groupBy(
    [...exact].filter(([text]) => isUnspaced(text)).sort(([one], [other]) => other.length - one.length),
    ([text]) => text.charCodeAt(0),
  );
  const spelled = (text: string, plain: string): readonly number[] =>
    exact.get(text) ?? exact.get(plain) ?? inflected(plain);
  const wordsInside = (text: string): InnerWord[] | null => {
    if (!isUnspaced(text) || exact.has(text)) return null;
    const inside: InnerWord[] = [];
    for (let at = 0; at < text.length; at += 1) {
      const found = unspaced.get(text.charCodeAt(at))?.find(([word]) => text.startsWith(word, at));
      if (found === undefined) continue;
      inside.push({ start: at, meanings: found[1] });
      at += found[0].length - 1;
    }
    return inside;
  };
  return {
    size: count,
    idOf: (lexicon, meaning) => {
      const id = ids.get(lexicon)?.get(meaning);
      if (id === undefined) throw new Error(`No meaning is called ${meaning}`);
      return id;
    },
    words: exact,
    stems: [...stems.values()].flatMap((near) => near.map(({ stem }) => stem)),
    meaningOf(text, plain, written) {
      const inside = wordsInside(text);
      const known = spelled(text, plain);
      const meanings = written === null ? known : [...known, WRITTEN.indexOf(written)];
      return inside === null && meanings === NO_MEANINGS ? MEANINGLESS : { inside, meanings };
    },
  };
}

function added<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

const PAYEE = /^(?:[a-z]{2}\d{10,30}|0x[0-9a-f]{20,40}|bc1[a-z0-9]{20,40})$/u;
const SHORTEST_PAYEE = 12;

/** Whether a word is a number to pay to. */
export const isPayee = (text: string): boolean => text.length >= SHORTEST_PAYEE && PAYEE.test(text);

const DIGIT_LETTERS: Record<string, string> = { 0: "o", 1: "i", 3: "e", 4: "a", 5: "s", 7: "t", 8: "b" };

/** Words whose misspellings are read as the word, as models do. */
export const WATCHED = ["instructions", "instruction", "previous", "disregard", "override", "ignore"];
/**
 * The minimum length at which a word is recognised with a missing letter, and with a changed or extra one.
 */
export const SHORTEST_SLIP = 6;
const SHORTEST_CHANGE = 8;
export const LONGEST_SLIP = 13;

/** A word with look-alike digits as letters ("1gn0re"), and one typo corrected in the watched words. */
function plainWriting(text: string): string {
  if (text.length < SHORTEST_SLIP || text.length > LONGEST_SLIP) return lettered(text);
  const word = lettered(text);
  return WATCHED.find((watched) => isSlipOf(word, watched)) ?? word;
}

function lettered(text: string): string {
  if (text.length < SHORTEST_SLIP || !/\d/.test(text) || !/[a-z]/.test(text)) return text;
  return text.replace(/[0134578]/g, (digit) => DIGIT_LETTERS[digit] ?? digit);
}

function isSlipOf(word: string, watched: string): boolean {
  if (word.length < watched.length) return oneSlipOff(word, watched);
  return word.length >= SHORTEST_CHANGE && word[0] === watched[0] && oneSlipOff(word, watched);
}
