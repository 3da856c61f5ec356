import { type Finding, finding } from "./finding.ts";
import type { SignalType } from "./weights.ts";
import { wordingFeatures } from "./wording-features.ts";
import { WORDING_BIAS, WORDING_LEVELS, WORDING_WEIGHTS } from "./wording-weights.ts";

const weights = new Map(WORDING_WEIGHTS.flatMap(([weight, features]) => features.split("|").map((feature) => [feature, weight])));

/** The signals from the faintest on, as `WORDING_LEVELS` names where each begins. */
const SIGNALS_BY_LEVEL: readonly SignalType[] = ["spam_wording_faint", "spam_wording", "spam_wording_strong"];
/** A few words, or one telling word among many, are no wording. */
const MIN_WORDS = 10;
const MIN_TELLING = 3;
const NAMED = 3;

/** How much a feature counts in a text of so many words: half a page counts no more than a few lines. */
export function wordingShare(words: number): number {
  return 6 / Math.sqrt(Math.max(words, 30));
}

/**
 * Whether a folded text is worded like unsolicited advertising, by a linear model over words (`scripts/train-wording.ts`): at most one
 * finding, which names the words that told most. The model knows one language and one kind of mail, so it never decides alone.
 */
export function wordingSignals(folded: string): Finding[] {
  const { features, words } = wordingFeatures(folded);
  if (words < MIN_WORDS) return [];
  let sum = 0;
  const telling: [feature: string, weight: number][] = [];
  for (const feature of features) {
    const weight = weights.get(feature) ?? 0;
    sum += weight;
    if (weight > 0) telling.push([feature, weight]);
  }
  const score = WORDING_BIAS + sum * wordingShare(words);
  const signal = SIGNALS_BY_LEVEL[WORDING_LEVELS.findLastIndex((from) => score > from)];
  if (signal === undefined || telling.length < MIN_TELLING) return [];
  const most = telling.filter(([feature]) => /^[a-z]/.test(feature)).toSorted(([, one], [, other]) => other - one);
  const named = most.slice(0, NAMED).map(([feature]) => feature);
  return [finding(signal, { what: named.join(" - ") })];
}
