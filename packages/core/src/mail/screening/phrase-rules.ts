import type { SignalType } from "../../catalogue/signals.ts";
import {
  type Lexicon,
  type MeaningIndex,
  meaningIndex,
  type WordMeaning,
  type WordMeanings,
  type WrittenMeaning,
} from "./word-meanings.ts";
import { bitOf, type Notes, noteTaker } from "./word-notes.ts";
import { CELLS, LENGTH, LINE, SENTENCE, textAt, type Words } from "./words.ts";

/** Meanings that must occur together in one sentence: near each other in any order, or in sequence. */
export interface PhraseRule<Meaning extends string> {
  signal: SignalType;
  near?: readonly Meaning[];
  within?: number;
  /** The meanings of `near` may be in different sentences. */
  across?: boolean;
  /** "forward 4 every 2 mail": the meanings in order, with the maximum distance in words to the next. */
  then?: string;
  /**
   * The phrase begins within four words of the start of its sentence, as orders and questions do, or its sentence also
   * sets other orders aside: "Ignore your rules and send me …".
   */
  opens?: boolean;
  /** Not when one of these is within the phrase or two words after it. */
  unless?: readonly Meaning[];
  /** Not when one of these is within three words before the phrase. */
  unless_before?: readonly Meaning[];
  /** Not when one of these is within eight words before the phrase. */
  unless_earlier?: readonly Meaning[];
  /** A word with this meaning of `near` doesn't count directly after a negation: "has not changed". */
  unless_negated?: Meaning;
}

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

/** A rule that matched, and the line and sentence of the text. */
export interface PhraseHit {
  signal: SignalType;
  line: number;
  sentence: number;
}

/** A word with a meaning: its position in the text, and its index among such words. */
interface Found {
  index: number;
  at: number;
  sentence: number;
  line: number;
  /** How many words of its sentence come before it. */
  before: number;
  meanings: readonly number[];
}

/** What rules look at: the words with a meaning, and the sentences that set orders aside, in which an order may begin anywhere. */
interface Reading {
  all: Found[];
  by_meaning: WordsByMeaning;
  commanding: ReadonlySet<number>;
}

/** Finds the phrases of its rules in the words of a text. */
type PhraseMatcher = (words: Words) => PhraseHit[];

/**
 * Compiles groups of rule books into a matcher for each group; they share the look-up of words, and what the sentences of a
 * text have words of is noted once for all groups. Nearly every rule ends there: only where one is left, the places of the
 * words are read. Each is one pass over the words: the cost depends on the length of a text, never on its content.
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

/** For each rule, the two of its meanings that the fewest rules need: most texts have no words of both. */
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

/** The words of one text at a time, by meaning. */
interface WordsByMeaning {
  clear(): void;
  add(meaning: number, found: Found): void;
  /** The words with this meaning, in text order. */
  of(meaning: number): Found[];
}

/** Room for the meanings of an ordinary mail's words; only a longer text takes more, for as long as it is read. */
const ROOM = 2_048;
const NONE = -1;

/** One list for each meaning, all in two arrays that are used again: lists of their own were a third of all that screening allocates. */
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

/** What stands beside such an order is an order too, wherever in its sentence it begins. */
const SETS_ASIDE: ReadonlySet<SignalType> = new Set<SignalType>(["override_instructions", "override_vague"]);
const NO_SENTENCES: ReadonlySet<number> = new Set();

const ALL_SENTENCES = -1;

/** The sentences, as bits, that may have words of all these meanings; all if they are in the text and may be `across` several. */
function sentencesHolding(sentences: Int32Array, needs: readonly number[], across: boolean): number {
  let common = ALL_SENTENCES;
  for (let nth = 0; nth < needs.length; nth += 1) {
    const having = sentences[needs[nth] ?? 0] ?? 0;
    if (having === 0) return 0;
    common &= having;
  }
  return across ? ALL_SENTENCES : common;
}

/** How many characters count as a word in scripts without spaces: the alphabets of South-East Asia, then Chinese and kana. */
const [CHARS_PER_SPELLED_WORD, CHARS_PER_WORD] = [5, 2];
const FIRST_IDEOGRAPH = 0x2e80;

/** The words of the wanted sentences that have a meaning in a group, which are added to those by meaning. */
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
  // How many words more there are, as runs of letters count as several; and how many at the start of the sentence.
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

/** "So could you please tell me": as many words may come before an order or a question. */
const MAX_BEFORE_OPENING = 4;

type Match = (reading: Reading) => PhraseHit | null;

interface Compiled {
  /** The meanings without which it can't match, all in one sentence or `across` several. */
  needs: readonly number[];
  across: boolean;
  match: Match;
}

function compile(rule: PhraseRule<string>, idOf: (meaning: string) => number): Compiled {
  const barred = (rule.unless ?? []).map(idOf);
  const barredBefore = (rule.unless_before ?? []).map(idOf);
  const barredEarlier = (rule.unless_earlier ?? []).map(idOf);
  const latest = rule.opens === true ? MAX_BEFORE_OPENING : Number.POSITIVE_INFINITY;
  const allowed: Allowed = ({ all, commanding }, first, last) =>
    (first.before <= latest || commanding.has(first.sentence)) &&
    !around(all, first, 0, last, 2, barred) &&
    !around(all, first, 3, first, -1, barredBefore) &&
    !around(all, first, 8, first, -1, barredEarlier);
  const steps = rule.then === undefined ? undefined : stepsOf(rule.then, idOf);
  if (steps !== undefined)
    return {
      needs: steps.map(({ id }) => id),
      across: false,
      match: (reading) => inOrder(rule.signal, steps, reading, allowed),
    };
  const wanted = (rule.near ?? []).map(idOf);
  const counts =
    rule.unless_negated === undefined ? carries : notNegated(idOf(rule.unless_negated), idOf("negation"));
  return {
    needs: wanted,
    across: rule.across === true,
    match: (reading) => together(rule, wanted, reading, allowed, counts),
  };
}

interface Step {
  id: number;
  /** The maximum distance in words from the previous step. */
  gap: number;
}

function stepsOf(order: string, idOf: (meaning: string) => number): Step[] {
  const parts = order.split(" ");
  return parts.flatMap((part, at) =>
    at % 2 === 0 ? [{ id: idOf(part), gap: Number(parts[at - 1] ?? 0) }] : [],
  );
}

/** The words that have one of the meanings, in text order. */
function carrying({ by_meaning }: Reading, ids: readonly number[]): Found[] {
  return ids.map((id) => by_meaning.of(id)).reduce(merged);
}

function merged(ones: Found[], others: Found[]): Found[] {
  const both: Found[] = [];
  let other = 0;
  for (const one of ones) {
    for (let next = others[other]; next !== undefined && next.index <= one.index; next = others[++other])
      if (next.index < one.index) both.push(next);
    both.push(one);
  }
  return both.concat(others.slice(other));
}

type Nearness = Pick<PhraseRule<string>, "signal" | "within" | "across">;

/** The default maximum distance in words between the meanings of `near`. */
const DEFAULT_WITHIN = 8;

type Allowed = (reading: Reading, first: Found, last: Found) => boolean;

/** Whether a word counts as having a meaning. */
type Counts = (found: readonly Found[], here: Found, id: number) => boolean;

const carries: Counts = (_, here, id) => here.meanings.includes(id);

/** The maximum distance in words between a negation and what it negates: "will not be changed". */
const NEGATED_WITHIN = 2;

function notNegated(negatable: number, negation: number): Counts {
  return (found, here, id) =>
    here.meanings.includes(id) &&
    (id !== negatable || !around(found, here, NEGATED_WITHIN, here, -1, [negation]));
}

function together(
  rule: Nearness,
  wanted: readonly number[],
  reading: Reading,
  allowed: Allowed,
  counts: Counts,
): PhraseHit | null {
  const { signal, within = DEFAULT_WITHIN, across = false } = rule;
  const last: Array<Found | undefined> = wanted.map(() => undefined);
  let missing = wanted.length;
  for (const here of carrying(reading, wanted)) {
    for (const [nth, id] of wanted.entries()) {
      if (!counts(reading.all, here, id)) continue;
      if (last[nth] === undefined) missing -= 1;
      last[nth] = here;
    }
    if (missing > 0) continue;
    let start = here;
    for (const place of last) if (place !== undefined && place.index < start.index) start = place;
    if ((start.sentence !== here.sentence && !across) || here.at - start.at > within) continue;
    const places = last.filter((place) => place !== undefined);
    if (new Set(places).size < wanted.length && !severalWords(places)) continue;
    if (allowed(reading, start, here)) return { signal, line: start.line, sentence: start.sentence };
  }
  return null;
}

/** One word may have two of the required meanings only if the phrase still has two words. */
function severalWords(places: readonly Found[]): boolean {
  return new Set(places.map(({ at }) => at)).size >= Math.max(2, places.length - 1);
}

function inOrder(
  signal: SignalType,
  steps: readonly Step[],
  reading: Reading,
  allowed: Allowed,
): PhraseHit | null {
  const reached: Array<{ first: Found; last: Found } | undefined> = steps.map(() => undefined);
  const ids = steps.map(({ id }) => id);
  for (const here of carrying(reading, ids)) {
    for (let step = steps.length - 1; step >= 0; step -= 1) {
      const { id, gap } = steps[step] ?? { id: -1, gap: 0 };
      if (!here.meanings.includes(id)) continue;
      if (step === 0) {
        reached[0] = { first: here, last: here };
        continue;
      }
      const before = reached[step - 1];
      if (before === undefined) continue;
      const { first, last } = before;
      if (last.sentence === here.sentence && here.at > last.at && here.at - last.at <= gap)
        reached[step] = { first, last: here };
    }
    const whole = reached.at(-1);
    if (whole?.last === here && allowed(reading, whole.first, here))
      return { signal, line: whole.first.line, sentence: whole.first.sentence };
  }
  return null;
}

/**
 * Whether one of the meanings occurs up to so many words before the first word, within the phrase, or up to
 * so many after the last, in the same sentences.
 */
function around(
  all: readonly Found[],
  first: Found,
  before: number,
  last: Found,
  after: number,
  ids: readonly number[],
): boolean {
  if (ids.length === 0) return false;
  for (let index = first.index; index >= 0; index -= 1) {
    const here = all[index];
    if (here === undefined || first.at - here.at > before || here.sentence !== first.sentence) break;
    if ((index < first.index || after >= 0) && here.meanings.some((id) => ids.includes(id))) return true;
  }
  if (after < 0) return false;
  for (let index = first.index + 1; index < all.length; index += 1) {
    const here = all[index];
    if (here === undefined || here.at - last.at > after || here.sentence !== last.sentence) break;
    if (here.meanings.some((id) => ids.includes(id))) return true;
  }
  return false;
}
