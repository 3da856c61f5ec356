import { foldText } from "./fold.ts";
import { oneSlipOff } from "./slips.ts";
import type { Word } from "./words.ts";

/**
 * Meaning → the words that carry it, parted by blanks; `stem*` stands for every ending of at least three
 * letters' stem.
 */
export type Lexicon<Meaning extends string> = Record<Meaning, string>;

/**
 * Meanings that no lexicon lists, since how a word is written tells them: the start of a mail address, a
 * number to pay to.
 */
export type WrittenMeaning = (typeof WRITTEN)[number];

const WRITTEN = ["address", "payee"] as const;

/** Says which meanings a word carries, by number. */
export interface MeaningIndex {
  /** The number of a meaning in one of the lexicons; throws when none is called so. */
  idOf(lexicon: Lexicon<string>, meaning: string): number;
  meaningsOf(word: Word): readonly number[];
}

/** The part of a word that finds its stems. */
const STEM_KEY_CHARS = 3;

const NO_MEANINGS: readonly number[] = [];

/**
 * Makes one index of several lexicons, so that a word is looked up once for all of them. A look-up costs the
 * same for every word.
 */
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
    return near === undefined
      ? NO_MEANINGS
      : near.filter(({ stem }) => text.startsWith(stem)).map(({ id }) => id);
  };
  for (const [word, listed] of exact) listed.push(...inflected(word));
  const spelled = ({ text }: Word): readonly number[] => {
    const listed = exact.get(text);
    if (listed !== undefined) return listed;
    const plain = plainWriting(text);
    return exact.get(plain) ?? inflected(plain);
  };
  return {
    idOf: (lexicon, meaning) => {
      const id = ids.get(lexicon)?.get(meaning);
      if (id === undefined) throw new Error(`No meaning is called ${meaning}`);
      return id;
    },
    meaningsOf: (word) => {
      const written = writtenMeaning(word);
      return written === null ? spelled(word) : [...spelled(word), WRITTEN.indexOf(written)];
    },
  };
}

function added<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

function writtenMeaning(word: Word): WrittenMeaning | null {
  if (word.address) return "address";
  if (word.text.length < SHORTEST_PAYEE) return null;
  if (/^(?:[a-z]{2}\d{10,30}|0x[0-9a-f]{20,40}|bc1[a-z0-9]{20,40})$/u.test(word.text)) return "payee";
  return null;
}

/** Two letters and ten digits. */
const SHORTEST_PAYEE = 12;

const DIGIT_LETTERS: Record<string, string> = { 0: "o", 1: "i", 3: "e", 4: "a", 5: "s", 7: "t", 8: "b" };

/** Words whose misspelling is read as the word: models do so too. */
const WATCHED = ["instructions", "instruction", "previous", "disregard", "override", "ignore"];
/**
 * With a letter too few a word is known from so many letters on, with another or one too many from so many.
 */
const SHORTEST_SLIP = 6;
const SHORTEST_CHANGE = 8;
const LONGEST_SLIP = 13;

/**
 * A word with digits turned into the letters they stand for ("1gn0re"), and one slip of typing undone in the
 * watched words.
 */
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
