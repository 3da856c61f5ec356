import type { SignalType } from "./weights.ts";
import { type Lexicon, meaningIndex, type WrittenMeaning } from "./word-meanings.ts";
import type { Word } from "./words.ts";

/** Meanings that must stand together in one sentence: near each other in any order, or one after the other. */
export interface PhraseRule<Meaning extends string> {
  signal: SignalType;
  near?: readonly Meaning[];
  within?: number;
  /** The meanings of `near` may be spread over several sentences. */
  across?: boolean;
  /** "forward 4 every 2 mail": the meanings in their order, and how many words on the next may stand. */
  then?: string;
  /** Not when one of these stands within the phrase or two words after it. */
  unless?: readonly Meaning[];
  /** Not when one of these stands within three words before the phrase. */
  unless_before?: readonly Meaning[];
  /** Not when one of these stands within eight words before the phrase. */
  unless_earlier?: readonly Meaning[];
}

/** A rule that held: which, and on which line of the text. */
export interface PhraseHit {
  signal: SignalType;
  line: number;
}

interface Found {
  at: number;
  sentence: number;
  line: number;
  meanings: readonly number[];
}

/** Makes a matcher of a lexicon and rules. Matching is one pass over the words: time grows with the text, never with its content. */
export function phraseMatcher<Meaning extends string>(
  lexicon: Lexicon<Meaning>,
  rules: ReadonlyArray<PhraseRule<Meaning | WrittenMeaning>>,
): (words: readonly Word[]) => PhraseHit[] {
  const { idOf, meaningsOf } = meaningIndex(lexicon);
  const compiled = rules.map((rule) => compile(rule, idOf));
  return (words) => {
    const found: Found[] = [];
    for (const [at, word] of words.entries()) {
      const meanings = meaningsOf(word);
      if (meanings.length > 0) found.push({ at, sentence: word.sentence, line: word.line, meanings });
    }
    const present = new Set(found.flatMap(({ meanings }) => meanings));
    return compiled.flatMap(({ needs, match }) => (needs.every((id) => present.has(id)) ? (match(found) ?? []) : []));
  };
}

type Match = (found: readonly Found[]) => PhraseHit | null;

function compile<Meaning extends string>(
  rule: PhraseRule<Meaning>,
  idOf: (meaning: string) => number,
): { needs: readonly number[]; match: Match } {
  const barred = (rule.unless ?? []).map(idOf);
  const barredBefore = (rule.unless_before ?? []).map(idOf);
  const barredEarlier = (rule.unless_earlier ?? []).map(idOf);
  const allowed = (found: readonly Found[], first: number, last: number): boolean =>
    !around(found, first, 0, last, 2, barred) &&
    !around(found, first, 3, first, -1, barredBefore) &&
    !around(found, first, 8, first, -1, barredEarlier);
  const steps = rule.then === undefined ? undefined : stepsOf(rule.then, idOf);
  if (steps !== undefined)
    return { needs: steps.map(({ id }) => id), match: (found) => inOrder(rule.signal, steps, found, allowed) };
  const wanted = (rule.near ?? []).map(idOf);
  return { needs: wanted, match: (found) => together(rule, wanted, found, allowed) };
}

interface Step {
  id: number;
  /** How many words after the step before. */
  gap: number;
}

function stepsOf(order: string, idOf: (meaning: string) => number): Step[] {
  const parts = order.split(" ");
  return parts.flatMap((part, at) => (at % 2 === 0 ? [{ id: idOf(part), gap: Number(parts[at - 1] ?? 0) }] : []));
}

type Nearness = Pick<PhraseRule<string>, "signal" | "within" | "across">;

/** How far apart the meanings of a `near` may stand, in words, when the rule does not say. */
const DEFAULT_WITHIN = 8;

type Allowed = (found: readonly Found[], first: number, last: number) => boolean;

function together(rule: Nearness, wanted: readonly number[], found: readonly Found[], allowed: Allowed): PhraseHit | null {
  const { signal, within = DEFAULT_WITHIN, across = false } = rule;
  const last = new Map<number, number>();
  for (const [index, here] of found.entries()) {
    if (!here.meanings.some((id) => wanted.includes(id))) continue;
    for (const id of here.meanings) last.set(id, index);
    const places = wanted.map((id) => last.get(id) ?? -1);
    const first = Math.min(...places);
    const start = found[first];
    if (start === undefined || (start.sentence !== here.sentence && !across) || here.at - start.at > within) continue;
    if (new Set(places).size < wanted.length && !severalMeanings(places, found)) continue;
    if (allowed(found, first, index)) return { signal, line: start.line };
  }
  return null;
}

/** One word may carry two of the wanted meanings only when the phrase still has two words. */
function severalMeanings(places: readonly number[], found: readonly Found[]): boolean {
  return new Set(places.map((place) => found[place]?.at)).size >= Math.max(2, places.length - 1);
}

function inOrder(signal: SignalType, steps: readonly Step[], found: readonly Found[], allowed: Allowed): PhraseHit | null {
  const reached: Array<{ first: number; last: number } | undefined> = steps.map(() => undefined);
  for (const [index, here] of found.entries()) {
    for (let step = steps.length - 1; step >= 0; step -= 1) {
      const { id, gap } = steps[step] ?? { id: -1, gap: 0 };
      if (!here.meanings.includes(id)) continue;
      if (step === 0) {
        reached[0] = { first: index, last: index };
        continue;
      }
      const before = reached[step - 1];
      const previous = before === undefined ? undefined : found[before.last];
      if (before === undefined || previous === undefined) continue;
      if (previous.sentence === here.sentence && here.at > previous.at && here.at - previous.at <= gap) {
        reached[step] = { first: before.first, last: index };
      }
    }
    const whole = reached.at(-1);
    if (whole?.last === index && allowed(found, whole.first, whole.last)) return { signal, line: found[whole.first]?.line ?? 1 };
  }
  return null;
}

function around(
  found: readonly Found[],
  first: number,
  before: number,
  last: number,
  after: number,
  ids: readonly number[],
): boolean {
  const start = found[first];
  const end = found[last];
  if (ids.length === 0 || start === undefined || end === undefined) return false;
  for (let index = first; index >= 0; index -= 1) {
    const here = found[index];
    if (here === undefined || start.at - here.at > before || here.sentence !== start.sentence) break;
    if ((index < first || after >= 0) && here.meanings.some((id) => ids.includes(id))) return true;
  }
  if (after < 0) return false;
  for (let index = first + 1; index < found.length; index += 1) {
    const here = found[index];
    if (here === undefined || here.at - end.at > after || here.sentence !== end.sentence) break;
    if (here.meanings.some((id) => ids.includes(id))) return true;
  }
  return false;
}
