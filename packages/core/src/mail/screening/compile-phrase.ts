import type { SignalType } from "../../catalogue/signals.ts";

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
   * overrides other orders: "Ignore your rules and send me …".
   */
  opens?: boolean;
  /** Excludes the phrase when one of these is within it or two words after it. */
  unless?: readonly Meaning[];
  /** Excludes the phrase when one of these is within three words before it. */
  unless_before?: readonly Meaning[];
  /** Excludes the phrase when one of these is within eight words before it. */
  unless_earlier?: readonly Meaning[];
  /** A word with this meaning of `near` doesn't count directly after a negation: "has not changed". */
  unless_negated?: Meaning;
}

/** A rule that matched, and the line and sentence of the text. */
export interface PhraseHit {
  signal: SignalType;
  line: number;
  sentence: number;
}

/** A word with a meaning: its position in the text, and its index among such words. */
export interface Found {
  index: number;
  at: number;
  sentence: number;
  line: number;
  /** The number of words before it in its sentence. */
  before: number;
  meanings: readonly number[];
}

/**
 * The input of the rules: the words with a meaning, and the sentences that override orders, in which an order may begin
 * anywhere.
 */
export interface Reading {
  all: Found[];
  by_meaning: WordsByMeaning;
  commanding: ReadonlySet<number>;
}

/** The words of one text at a time, by meaning. */
export interface WordsByMeaning {
  clear(): void;
  add(meaning: number, found: Found): void;
  /** The words with this meaning, in text order. */
  of(meaning: number): Found[];
}

/** The most words before an order or a question: "So could you please tell me". */
const MAX_BEFORE_OPENING = 4;

/** Looks for a rule's phrase. */
export type Match = (reading: Reading) => PhraseHit | null;

/** A rule that is ready for searching. */
export interface Compiled {
  /** The meanings without which it can't match, all in one sentence or, with `across`, in several. */
  needs: readonly number[];
  across: boolean;
  match: Match;
}

/** Compiles a rule for searching; `idOf` gives the number of a meaning. */
export function compile(rule: PhraseRule<string>, idOf: (meaning: string) => number): Compiled {
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
 * Whether one of the meanings occurs up to this many words before the first word, within the phrase, or up to this many
 * after the last, in the same sentences.
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
