import { ANY_LANGUAGE } from "../words/languages.ts";
import type { MeaningIndex, WordMeanings } from "../words/word-meanings.ts";
import { FUNCTION_WORDS, languagePicker } from "./language-picker.ts";
import { UNLISTED } from "./listed-words.ts";
import { meaningReader } from "./meaning-reader.ts";
import { CELLS, SENTENCE, type Words } from "./words.ts";

/** The words of a text that have a meaning. */
export interface Notes {
  words: Words;
  count: number;
  /** The number of each word, and that of the first word in its sentence. */
  places: Int32Array;
  openings: Int32Array;
  /** The meanings of each word. */
  meant: readonly WordMeanings[];
}

/** The capacity for the words of an ordinary mail; a longer text takes more only while it is read. */
const ORDINARY = 2_048;

/** Returns the bit of a sentence, by its number: the sentences of an ordinary mail have one each. */
export const bitOf = (sentence: number): number => 1 << (sentence & 31);

/** Notes the words of texts that have a meaning in some indexes. */
export interface NoteTaker {
  /** Notes a text's words. The notes are valid until the next text's are taken. */
  take(words: Words): Notes;
  /** For each index, the sentences of that text with words of each meaning, as bits. */
  sentences: readonly Int32Array[];
}

/** Creates a note taker for these indexes. */
export function noteTaker(indexes: readonly MeaningIndex[]): NoteTaker {
  const reader = meaningReader(indexes, FUNCTION_WORDS);
  const picker = languagePicker();
  const all_sentences = new Int32Array(indexes.reduce((sum, { size }) => sum + size, 0));
  let taken = 0;
  const sentences = indexes.map(({ size }) => all_sentences.subarray(taken, (taken += size)));
  const [ordinary_places, ordinary_openings] = [new Int32Array(ORDINARY), new Int32Array(ORDINARY)];
  const ordinary_numbers = new Int32Array(ORDINARY);
  const ordinary_meant: WordMeanings[] = [];
  let notes: Notes | null = null;
  const take = (words: Words): Notes => {
    if (notes?.words === words) return notes;
    all_sentences.fill(0);
    // No more words have a meaning than there are words.
    const is_long = words.count > ORDINARY;
    const places = is_long ? new Int32Array(words.count) : ordinary_places;
    const openings = is_long ? new Int32Array(words.count) : ordinary_openings;
    const meant = is_long ? [] : ordinary_meant;
    const numbers = is_long ? new Int32Array(words.count) : ordinary_numbers;
    for (let nth = 0; nth < words.count; nth += 1) numbers[nth] = reader.numberOf(words, nth);
    const picked = picker.pick(numbers, words.count);
    const met: WordMeanings[] = [];
    let count = 0;
    let languages = ANY_LANGUAGE;
    let [sentence, opening, bit] = [-1, 0, 0];
    for (let nth = 0; nth < words.count; nth += 1) {
      const its_sentence = words.table[nth * CELLS + SENTENCE] ?? 0;
      if (its_sentence !== sentence) {
        sentence = its_sentence;
        opening = nth;
        bit = bitOf(sentence);
        languages = picked.languagesOf(numbers, nth, endOfSentence(words, nth));
      }
      const meanings = reader.meaningOf(words, nth, numbers[nth] ?? UNLISTED, languages);
      if (meanings === null) continue;
      if (meanings.sentences === 0) met.push(meanings);
      meanings.sentences |= bit;
      places[count] = nth;
      openings[count] = opening;
      meant[count] = meanings;
      count += 1;
    }
    // Counts each word once, however often it occurs.
    for (const meanings of met) {
      const { all, sentences: bits } = meanings;
      for (let at = 0; at < all.length; at += 1) {
        const meaning = all[at] ?? 0;
        all_sentences[meaning] = (all_sentences[meaning] ?? 0) | bits;
      }
      meanings.sentences = 0;
    }
    notes = { words, count, places, openings, meant };
    return notes;
  };
  return { take, sentences };
}

/** The number of the word after the sentence that begins with a word. */
function endOfSentence({ table, count }: Words, first: number): number {
  const sentence = table[first * CELLS + SENTENCE];
  let end = first + 1;
  while (end < count && table[end * CELLS + SENTENCE] === sentence) end += 1;
  return end;
}
