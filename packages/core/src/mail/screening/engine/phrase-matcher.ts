import type { SignalType } from "../../../catalogue/signals.ts";
import type { Lexicon } from "../../words/index.ts";
import {
  type Compiled,
  compile,
  type Found,
  type Match,
  type PhraseHit,
  type PhraseRule,
  type Reading,
  type WordsByMeaning,
} from "../compile-phrase.ts";
import {
  type MeaningIndex,
  meaningIndex,
  type WordMeaning,
  type WordMeanings,
  type WrittenMeaning,
} from "../words/word-meanings.ts";
import { bitOf, type Notes, noteTaker } from "./word-notes.ts";
import { CELLS, LENGTH, LINE, SENTENCE, textAt, type Words } from "./words.ts";

/** Rules and the lexicon that they use. */
export interface RuleBook {
  lexicon: Lexicon<string>;
  rules: ReadonlyArray<PhraseRule<string>>;
}

/** Combines rules with their lexicon; the compiler checks that the lexicon has every meaning. */
export function ruleBook<Meaning extends string>(
  lexicon: Lexicon<Meaning>,
  rules: ReadonlyArray<PhraseRule<Meaning | WrittenMeaning>>,
): RuleBook {
  return { lexicon, rules };
}

/** Finds the phrases of its rules in the words of a text. */
type PhraseMatcher = (words: Words) => PhraseHit[];

/**
 * Compiles groups of rule books into a matcher for each group. The groups share the look-up of words and the notes on
 * which meanings occur in which sentences. These rule out nearly every rule; the positions of words are read only for
 * the remaining ones. Each matcher makes one pass over the words: the cost depends on the length of a text, never on
 * its content.
 */
export function phraseMatchers<const Groups extends readonly (readonly RuleBook[])[]>(
  groups: Groups,
): { [Group in keyof Groups]: PhraseMatcher } {
  const indexes = groups.map((books) => meaningIndex(books.map(({ lexicon }) => lexicon)));
  const { take, sentences: sentences_by_group } = noteTaker(indexes);
  const matchers = groups.map((books, group): PhraseMatcher => {
    const { size, idOf } = indexes[group] as MeaningIndex;
    const compiled = books.flatMap(({ lexicon, rules }) =>
      rules.map((rule) => compile(rule, (name) => idOf(lexicon, name))),
    );
    const rarest = rarestPairs(compiled);
    const by_meaning = wordsByMeaning(size);
    const sentences = sentences_by_group[group] as Int32Array;
    return (words) => {
      const notes = take(words);
      const possible: Match[] = [];
      let wanted = 0;
      for (let nth = 0; nth < compiled.length; nth += 1) {
        if (sentences[rarest[2 * nth] ?? 0] === 0 || sentences[rarest[2 * nth + 1] ?? 0] === 0) continue;
        const { needs, across, match } = compiled[nth] as Compiled;
        const holding = sentencesHolding(sentences, needs, across);
        if (holding === 0) continue;
        wanted |= holding;
        possible.push(match);
      }
      if (possible.length === 0) return [];
      by_meaning.clear();
      const reading: Reading = {
        all: read(notes, wanted, group, by_meaning),
        by_meaning,
        commanding: NO_SENTENCES,
      };
      const hits: PhraseHit[] = [];
      const missed: Match[] = [];
      for (const match of possible) {
        const hit = match(reading);
        if (hit === null) missed.push(match);
        else hits.push(hit);
      }
      const commanding = new Set(
        hits.filter(({ signal }) => SETS_ASIDE.has(signal)).map(({ sentence }) => sentence),
      );
      if (commanding.size === 0) return hits;
      const again = missed.map((match) => match({ ...reading, commanding }));
      return [...hits, ...again.filter((hit) => hit !== null)];
    };
  });
  return matchers as { [Group in keyof Groups]: PhraseMatcher };
}

/** Returns, for each rule, the two of its meanings that the fewest rules need: most texts have no words of both. */
function rarestPairs(compiled: readonly Compiled[]): Int32Array {
  const uses = new Map<number, number>();
  for (const { needs } of compiled) for (const each of needs) uses.set(each, (uses.get(each) ?? 0) + 1);
  const usesOf = (meaning: number): number => uses.get(meaning) ?? 0;
  return Int32Array.from(
    compiled.flatMap(({ needs }) => {
      const [first = 0, second = first] = needs.toSorted((one, other) => usesOf(one) - usesOf(other));
      return [first, second];
    }),
  );
}

/** The capacity for the meanings of an ordinary mail's words; a longer text takes more only while it is read. */
const ROOM = 2_048;
const NONE = -1;

/**
 * Creates one list for each meaning, all in two arrays that are reused: separate lists were a third of screening's
 * allocations.
 */
function wordsByMeaning(size: number): WordsByMeaning {
  const [first, last] = [new Int32Array(size), new Int32Array(size)];
  const kept = new Int32Array(ROOM);
  let next = kept;
  let words: Found[] = [];
  return {
    clear() {
      first.fill(NONE);
      next = kept;
      words = [];
    },
    add(meaning, found) {
      const entry = words.push(found) - 1;
      if (entry === next.length) {
        const longer = new Int32Array(2 * entry);
        longer.set(next);
        next = longer;
      }
      next[entry] = NONE;
      if (first[meaning] === NONE) first[meaning] = entry;
      else next[last[meaning] ?? 0] = entry;
      last[meaning] = entry;
    },
    of(meaning) {
      const list: Found[] = [];
      for (let entry = first[meaning] ?? NONE; entry !== NONE; entry = next[entry] ?? NONE) {
        const found = words[entry];
        if (found !== undefined) list.push(found);
      }
      return list;
    },
  };
}

/** The signals of orders that override others: any part of their sentence may then be an order. */
const SETS_ASIDE: ReadonlySet<SignalType> = new Set<SignalType>(["override_instructions", "override_vague"]);
const NO_SENTENCES: ReadonlySet<number> = new Set();

const ALL_SENTENCES = -1;

/**
 * Returns the sentences, as bits, that may have words of all these meanings; all sentences if the text has them and the
 * rule is `across` several.
 */
function sentencesHolding(sentences: Int32Array, needs: readonly number[], across: boolean): number {
  let common = ALL_SENTENCES;
  for (let nth = 0; nth < needs.length; nth += 1) {
    const having = sentences[needs[nth] ?? 0] ?? 0;
    if (having === 0) return 0;
    common &= having;
  }
  return across ? ALL_SENTENCES : common;
}

/** The characters that count as a word in scripts without spaces: South-East Asian alphabets, then Chinese and kana. */
const [CHARS_PER_SPELLED_WORD, CHARS_PER_WORD] = [5, 2];
const FIRST_IDEOGRAPH = 0x2e80;

/** Reads the words of the wanted sentences that have a meaning in a group, and adds them by meaning. */
function read(
  { words, count, places, openings, meant }: Notes,
  wanted: number,
  group: number,
  by_meaning: WordsByMeaning,
): Found[] {
  const all: Found[] = [];
  const add = (at: number, opening: number, cell: number, meanings: readonly number[]) => {
    const sentence = words.table[cell + SENTENCE] ?? 0;
    const line = words.table[cell + LINE] ?? 1;
    const found: Found = { index: all.length, at, sentence, line, before: at - opening, meanings };
    all.push(found);
    for (let nth = 0; nth < meanings.length; nth += 1) by_meaning.add(meanings[nth] ?? 0, found);
  };
  // The extra words, since a run of letters counts as several, in total and at the start of the sentence.
  let more = 0;
  let more_before = 0;
  let sentence_read = -1;
  for (let entry = 0; entry < count; entry += 1) {
    const nth = places[entry] ?? 0;
    const cell = nth * CELLS;
    const sentence = words.table[cell + SENTENCE] ?? 0;
    if (sentence !== sentence_read) {
      sentence_read = sentence;
      more_before = more;
    }
    const { meanings, inside } = (meant[entry] as WordMeanings).by_index[group] as WordMeaning;
    const is_wanted = (bitOf(sentence) & wanted) !== 0;
    const opening = (openings[entry] ?? 0) + more_before;
    if (inside !== null) {
      const length = words.table[cell + LENGTH] ?? 0;
      const spelled = textAt(words, nth).charCodeAt(length - 1) < FIRST_IDEOGRAPH;
      const chars = spelled ? CHARS_PER_SPELLED_WORD : CHARS_PER_WORD;
      if (is_wanted)
        for (const each of inside)
          add(nth + more + Math.floor(each.start / chars), opening, cell, each.meanings);
      more += Math.floor(length / chars);
    } else if (is_wanted && meanings.length > 0) add(nth + more, opening, cell, meanings);
  }
  return all;
}
