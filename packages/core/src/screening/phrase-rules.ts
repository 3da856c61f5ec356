import { foldText } from "./fold.ts";
import type { SignalType } from "./weights.ts";
import type { Word } from "./words.ts";

/** Meaning → the words that carry it, folded, parted by blanks; `stem*` stands for every ending. */
export type Lexicon<Meaning extends string> = Record<Meaning, string>;

/** Meanings that must stand near each other in one sentence, in any order (`near`) or in this order (`then`, each with its gap). */
export interface PhraseRule<Meaning extends string> {
  signal: SignalType;
  near?: readonly Meaning[];
  within?: number;
  /** The meanings of `near` may be spread over several sentences. */
  across?: boolean;
  then?: ReadonlyArray<readonly [Meaning, number]>;
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

/** Shortest stem, and the part of a word that finds its stems. */
const STEM_KEY_CHARS = 3;

/** Meanings that a lexicon does not list: how a word is written tells them. */
export type WrittenMeaning = "address" | "payee";

/** Makes a matcher of a lexicon and rules. Matching is one pass over the words: time grows with the text, never with its content. */
export function phraseMatcher<Meaning extends string>(
  lexicon: Lexicon<Meaning>,
  rules: ReadonlyArray<PhraseRule<Meaning | WrittenMeaning>>,
): (words: readonly Word[]) => PhraseHit[] {
  const ids = new Map<string, number>();
  const idOf = (meaning: string): number => {
    const known = ids.get(meaning) ?? ids.size;
    ids.set(meaning, known);
    return known;
  };
  const exact = new Map<string, number[]>();
  const stems = new Map<string, Array<{ stem: string; id: number }>>();
  for (const [meaning, list] of Object.entries<string>(lexicon)) {
    for (const entry of foldText(list).split(/\s+/u)) {
      if (!entry.endsWith("*")) exact.set(entry, [...new Set([...(exact.get(entry) ?? []), idOf(meaning)])]);
      else {
        const stem = entry.slice(0, -1);
        const key = stem.slice(0, STEM_KEY_CHARS);
        stems.set(key, [...(stems.get(key) ?? []), { stem, id: idOf(meaning) }]);
      }
    }
  }
  const compiled = rules.map((rule) => compile(rule, idOf));
  const meaningsOf = (word: Word): readonly number[] => {
    const text = exact.has(word.text) ? word.text : plainWriting(word.text);
    const listed = exact.get(text) ?? [];
    const byStem = stems.get(text.slice(0, STEM_KEY_CHARS))?.filter(({ stem }) => text.startsWith(stem)) ?? [];
    const written = writtenMeaning(word);
    if (byStem.length === 0 && written === null) return listed;
    return [...listed, ...byStem.map(({ id }) => id), ...(written === null ? [] : [idOf(written)])];
  };
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

function writtenMeaning(word: Word): WrittenMeaning | null {
  if (word.address) return "address";
  if (/^(?:[a-z]{2}\d{10,30}|0x[0-9a-f]{20,40}|bc1[a-z0-9]{20,40})$/u.test(word.text)) return "payee";
  return null;
}

/** Digits that stand for letters inside a word ("1gn0re"), and one slip of typing in the words that matter most. */
function plainWriting(text: string): string {
  if (text.length < 4) return text;
  const lettered =
    /\d/u.test(text) && /[a-z]/u.test(text) ? text.replace(/[0134578]/gu, (digit) => DIGITS[digit] ?? digit) : text;
  return SLIPS.get(lettered) ?? slipOf(lettered) ?? lettered;
}

const DIGITS: Record<string, string> = { 0: "o", 1: "i", 3: "e", 4: "a", 5: "s", 7: "t", 8: "b" };
const WATCHED = ["instructions", "instruction", "previous", "disregard", "override", "ignore"];
const SLIPS = new Map(WATCHED.flatMap((word) => withoutOneLetter(word).map((slip) => [slip, word] as const)));
const WATCHED_START = new Set(WATCHED.map((word) => word[0]));

function withoutOneLetter(word: string): string[] {
  return Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1)).filter((slip) => slip.length >= 6);
}

function slipOf(text: string): string | undefined {
  if (text.length < 8 || text.length > 13 || !WATCHED_START.has(text[0])) return undefined;
  for (const shorter of withoutOneLetter(text)) {
    const word = WATCHED.includes(shorter)
      ? shorter
      : text.length === (SLIPS.get(shorter)?.length ?? 0)
        ? SLIPS.get(shorter)
        : undefined;
    if (word !== undefined) return word;
  }
  return undefined;
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
  const steps = rule.then?.map(([meaning, gap]) => ({ id: idOf(meaning), gap }));
  if (steps !== undefined)
    return { needs: steps.map(({ id }) => id), match: (found) => inOrder(rule.signal, steps, found, allowed) };
  const wanted = (rule.near ?? []).map(idOf);
  return { needs: wanted, match: (found) => together(rule, wanted, found, allowed) };
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

function inOrder(
  signal: SignalType,
  steps: ReadonlyArray<{ id: number; gap: number }>,
  found: readonly Found[],
  allowed: Allowed,
): PhraseHit | null {
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
