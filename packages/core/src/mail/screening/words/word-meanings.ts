import type { Lexicon } from "../../words/index.ts";
import { foldText } from "../engine/fold.ts";
import { oneSlipOff } from "../engine/one-typo.ts";
import { isUnspaced } from "../engine/words.ts";
import { ANY_LANGUAGE, bitOfLanguage } from "./languages.ts";

/**
 * Meanings that come from how a word is written, not from a lexicon: the start of a mail address, a number to
 * pay to.
 */
export type WrittenMeaning = (typeof WRITTEN)[number];

const WRITTEN = ["address", "payee"] as const;

/** The meanings of several lexicons that are used together, by number. */
export interface MeaningIndex {
  /** The number of meanings; they are numbered from 0. */
  size: number;
  /** The number of a meaning in one of the lexicons; throws when it doesn't exist. */
  idOf(lexicon: Lexicon<string>, meaning: string): number;
  /** Returns the meaning of a word by its spelling; `plain` is its `plainWriting`. */
  meaningOf(text: string, plain: string, written: WrittenMeaning | null): WordMeaning;
  /** The listed words in their exact form, and the stems. */
  words: ReadonlyMap<string, unknown>;
  stems: readonly string[];
}

/** The meaning of a word in each of several indexes. */
export interface WordMeanings {
  by_index: readonly WordMeaning[];
  /** All of its meanings and those of words inside it, numbered through the indexes. */
  all: readonly number[];
  /** The sentences of a text in which it was found so far, as bits; 0 except while a text is being read. */
  sentences: number;
  /** The languages in which it has a meaning, as bits, and those in which it has all of them. */
  any: number;
  every: number;
  /** What is left of it in some languages, as last asked. */
  among: { languages: number; meanings: WordMeanings | null } | null;
}

/** Looks up a word in some indexes; null if it has no meaning in any of them, like most words. */
export function meaningsOf(
  indexes: readonly MeaningIndex[],
  text: string,
  written: WrittenMeaning | null,
): WordMeanings | null {
  const plain = plainWriting(text);
  return together(
    indexes,
    indexes.map((index) => index.meaningOf(text, plain, written)),
  );
}

/** The meanings of a word in a text of some languages, given as bits; null if it has none. */
export function meaningsAmong(
  indexes: readonly MeaningIndex[],
  word: WordMeanings,
  languages: number,
): WordMeanings | null {
  if (languages === ANY_LANGUAGE || (word.every & languages) !== 0) return word;
  if ((word.any & languages) === 0) return null;
  if (word.among?.languages !== languages) {
    const by_index = word.by_index.map((each) => spokenIn(each, languages));
    word.among = { languages, meanings: together(indexes, by_index) };
  }
  return word.among.meanings;
}

function spokenIn(meaning: WordMeaning, languages: number): WordMeaning {
  const { meanings, bits, inside } = meaning;
  const is_spoken = (_: number, nth: number) => ((bits[nth] ?? 0) & languages) !== 0;
  if (bits.every((_, nth) => is_spoken(0, nth))) return meaning;
  const left = meanings.filter(is_spoken);
  return left.length === 0 && inside === null
    ? MEANINGLESS
    : { meanings: left, bits: bits.filter(is_spoken), inside };
}

function together(indexes: readonly MeaningIndex[], by_index: readonly WordMeaning[]): WordMeanings | null {
  if (by_index.every((each) => each === MEANINGLESS)) return null;
  const all: number[] = [];
  let before = 0;
  let [any, every] = [0, ANY_LANGUAGE];
  for (let nth = 0; nth < indexes.length; nth += 1) {
    const { meanings, bits, inside } = by_index[nth] as WordMeaning;
    for (const meaning of meanings) all.push(before + meaning);
    for (const bit of bits) [any, every] = [any | bit, every & bit];
    if (inside !== null) {
      any = ANY_LANGUAGE;
      for (const each of inside) for (const meaning of each.meanings) all.push(before + meaning);
    }
    before += indexes[nth]?.size ?? 0;
  }
  return { by_index, all, sentences: 0, any, every, among: null };
}

/** The meaning of a word: its own meanings, or the lexicon words inside it. */
export interface WordMeaning {
  meanings: readonly number[];
  /** For each of them the languages in which it has it, as bits. */
  bits: readonly number[];
  /** The words inside a run of a script without spaces, in order; null for other words. */
  inside: readonly InnerWord[] | null;
}

/** A word inside a run of letters: its offset in characters, and its meanings. */
interface InnerWord {
  start: number;
  meanings: readonly number[];
}

/** The characters at the beginning of a word that index its stems. */
export const STEM_KEY_CHARS = 3;

const NO_MEANINGS: readonly Meant[] = [];
const MEANINGLESS: WordMeaning = { meanings: [], bits: [], inside: null };
/** A run without meaning still counts as several words. */
const MEANINGLESS_RUN: WordMeaning = { meanings: [], bits: [], inside: [] };

/** A meaning, and the languages in which a word has it, as bits. */
interface Meant {
  id: number;
  languages: number;
}

/** The number of UTF-16 units. */
const UNITS = 1 << 16;

/** Builds one index for several lexicons. A look-up costs the same for every word. */
export function meaningIndex(lexicons: ReadonlyArray<Lexicon<string>>): MeaningIndex {
  const ids = new Map(
    lexicons.map((lexicon) => [lexicon, new Map<string, number>(WRITTEN.map((name, id) => [name, id]))]),
  );
  const exact = new Map<string, Meant[]>();
  const stems = new Map<string, Array<Meant & { stem: string }>>();
  let count: number = WRITTEN.length;
  for (const [lexicon, names] of ids)
    for (const { language, words } of lexicon) {
      const languages = bitOfLanguage(language);
      for (const [meaning, list = ""] of Object.entries(words)) {
        const id = names.get(meaning) ?? count++;
        names.set(meaning, id);
        for (const entry of new Set(foldText(list).split(/\s+/u))) {
          if (entry.endsWith("*")) addStem(stems, { stem: entry.slice(0, -1), id, languages });
          else if (entry !== "") exact.set(entry, withMeant(exact.get(entry) ?? [], { id, languages }));
        }
      }
    }
  const inflected = (text: string): readonly Meant[] => {
    const near = stems.size === 0 ? undefined : stems.get(text.slice(0, STEM_KEY_CHARS));
    const found = near?.filter(({ stem }) => text.startsWith(stem)) ?? [];
    return found.length === 0 ? NO_MEANINGS : found.reduce<Meant[]>(withMeant, []);
  };
  for (const [word, listed] of exact) exact.set(word, inflected(word).reduce<Meant[]>(withMeant, listed));
  const unspaced = Map.groupBy(
    [...exact].filter(([text]) => isUnspaced(text)).sort(([one], [other]) => other.length - one.length),
    ([text]) => text.charCodeAt(0),
  );
  const meaningsIn = (meant: readonly Meant[]) => meant.map(({ id }) => id);
  // Most characters begin no word, and a look-up of one bit costs less than one in the map.
  const begins = new Uint8Array(UNITS / 8);
  for (const first of unspaced.keys()) begins[first >>> 3] = (begins[first >>> 3] ?? 0) | (1 << (first & 7));
  const wordsInside = (text: string): InnerWord[] => {
    const inside: InnerWord[] = [];
    for (let at = 0; at < text.length; at += 1) {
      const first = text.charCodeAt(at);
      if ((((begins[first >>> 3] ?? 0) >>> (first & 7)) & 1) === 0) continue;
      for (const [word, meant] of unspaced.get(first) ?? []) {
        if (!text.startsWith(word, at)) continue;
        inside.push({ start: at, meanings: meaningsIn(meant) });
        at += word.length - 1;
        break;
      }
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
      const listed = exact.get(text);
      const inside = listed === undefined && isUnspaced(text) ? wordsInside(text) : null;
      const known = listed ?? (plain === text ? undefined : exact.get(plain)) ?? inflected(plain);
      const meant =
        written === null ? known : [...known, { id: WRITTEN.indexOf(written), languages: ANY_LANGUAGE }];
      if (meant.length > 0)
        return { inside, meanings: meaningsIn(meant), bits: meant.map(({ languages }) => languages) };
      if (inside === null) return MEANINGLESS;
      return inside.length === 0 ? MEANINGLESS_RUN : { inside, meanings: [], bits: [] };
    },
  };
}

function addStem(stems: Map<string, Array<Meant & { stem: string }>>, added: Meant & { stem: string }): void {
  const key = added.stem.slice(0, STEM_KEY_CHARS);
  const list = stems.get(key);
  if (list === undefined) stems.set(key, [added]);
  else list.push(added);
}

/** Adds a meaning to those of a word, which may have it in another language already. */
function withMeant(meant: Meant[], { id, languages }: Meant): Meant[] {
  const known = meant.find((each) => each.id === id);
  if (known === undefined) meant.push({ id, languages });
  else known.languages |= languages;
  return meant;
}

const PAYEE = /^(?:[a-z]{2}\d{10,30}|0x[0-9a-f]{20,40}|bc1[a-z0-9]{20,40})$/u;
const SHORTEST_PAYEE = 12;

/** Whether a word is a number to pay to. */
export const isPayee = (text: string): boolean => text.length >= SHORTEST_PAYEE && PAYEE.test(text);

const DIGIT_LETTERS: Record<string, string> = { 0: "o", 1: "i", 3: "e", 4: "a", 5: "s", 7: "t", 8: "b" };

/** Words whose misspellings are recognised, as models recognise them. */
export const WATCHED = ["instructions", "instruction", "previous", "disregard", "override", "ignore"];
/**
 * The minimum length at which a word is recognised with a missing letter, and with a changed or extra one.
 */
export const SHORTEST_SLIP = 6;
const SHORTEST_CHANGE = 8;
const LONGEST_SLIP = 13;

/** Returns a word with look-alike digits as letters ("1gn0re"), and one typo corrected in the watched words. */
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
