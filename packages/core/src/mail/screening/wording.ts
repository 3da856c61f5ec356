import { SIGNALS, type SignalType } from "../../catalogue/signals.ts";
import type { Finding } from "../../model/screening.ts";
import { finding } from "./finding.ts";
import { walkWording } from "./wording-features.ts";
import type { WordingText } from "./wording-manners.ts";
import { mannersOf } from "./wording-manners.ts";
import { WORDING_BIAS, WORDING_SCALE, WORDING_WEIGHTS } from "./wording-weights.ts";

/** What the model learned about a word, a manner or a pair. */
interface Feature {
  name: string;
  weight: number;
}

const WORD_FEATURES = new Map<string, Feature>();
const PAIR_FEATURES = new Map<string, Map<string, Feature>>();
for (const [weight, names] of WORDING_WEIGHTS) for (const name of names.split("|")) learn({ name, weight });

function learn(feature: Feature): void {
  const [first = "", second] = feature.name.split(" ");
  if (second === undefined) WORD_FEATURES.set(first, feature);
  else
    PAIR_FEATURES.set(first, (PAIR_FEATURES.get(first) ?? new Map<string, Feature>()).set(second, feature));
}

/** Too few words, or too few telling ones, are not judged. */
export const MIN_WORDS = 10;
const MIN_TELLING = 3;
const NAMED = 3;

/** The levels of wording, strongest first; each applies from its weight on. */
const LEVELS = ["spam_wording_strong", "spam_wording", "spam_wording_faint"] as const satisfies SignalType[];

/** How much a feature counts in a text with that many words: half a page counts no more than a few lines. */
export function wordingShare(count: number): number {
  return 6 / Math.sqrt(Math.max(count, 30));
}

/**
 * Whether texts are worded like unsolicited advertising, by a linear model over words
 * (`scripts/train-wording.ts`). At most one finding, which names the most telling words and whose weight
 * depends on the odds. The model knows one language and one kind of mail, so it never decides alone.
 */
export function wordingSignals(texts: readonly WordingText[]): Finding[] {
  const { odds, told, count } = judgedBy(texts);
  if (count < MIN_WORDS || told.length < MIN_TELLING) return [];
  const weight = wordingWeight(odds);
  const signal = LEVELS.find((level) => weight >= SIGNALS[level].weight);
  if (signal === undefined) return [];
  const most = told
    .filter(({ name }) => /^[a-z]/.test(name))
    .toSorted((one, other) => other.weight - one.weight);
  const named = most.slice(0, NAMED).map(({ name }) => name);
  return [{ ...finding(signal, { what: named.join(" - ") }), weight }];
}

/** The log-odds of texts, the features that suggested spam, and the number of different words. */
export function judgedBy(texts: readonly WordingText[]): { odds: number; told: Feature[]; count: number } {
  const seen = new Set<string>();
  const found = new Set<Feature>();
  const note = (feature: Feature | undefined) => feature !== undefined && found.add(feature);
  walkWording(texts, {
    word: (word) => seen.add(word),
    pair: (first, second) => note(PAIR_FEATURES.get(first)?.get(second)),
  });
  for (const word of seen) note(WORD_FEATURES.get(word));
  for (const manner of mannersOf(texts)) note(WORD_FEATURES.get(manner));
  let sum = 0;
  for (const { weight } of found) sum += weight;
  return {
    odds: WORDING_BIAS + sum * wordingShare(seen.size),
    told: [...found].filter(({ weight }) => weight > 0),
    count: seen.size,
  };
}

/** The weight of a finding at these log-odds: linear between the points of the scale, 0 below it. */
export function wordingWeight(odds: number, scale: typeof WORDING_SCALE = WORDING_SCALE): number {
  const at = scale.findLastIndex(([from]) => odds >= from);
  const [low, high] = [scale[at], scale[at + 1]];
  if (low === undefined) return 0;
  if (high === undefined) return low[1];
  return Math.round(low[1] + ((high[1] - low[1]) * (odds - low[0])) / (high[0] - low[0]));
}
