import { wordingShare } from "../../packages/core/src/mail/screening/wording.ts";
import type { WordingFeatures } from "../../packages/core/src/mail/screening/wording-features.ts";
import { isTimeless } from "./timeless.ts";

/**
 * A mail to learn from. Mails of one campaign share their `group`, so that none is learnt from and tried on
 * at once.
 */
export interface Example extends WordingFeatures {
  group: number;
  spam: boolean;
}

/**
 * What was learnt: log-odds of spam are `bias` plus the weights of a mail's features times `wordingShare`.
 */
export interface Model {
  bias: number;
  weights: Map<string, number>;
}

const minMails = 8;
const maxFeatures = 8_000;
const rounds = 12;
const step = 0.2;
const l1 = 1e-4;
/** How often the ordinary mail of today is shown for each time the corpus is. */
const ordinaryTimes = 10;
/**
 * Words speak against spam by no more than this: those of the corpus's honest mail are its lists' subjects.
 */
const lowestWeight = -0.3;
/** No word tells all, and how a text is written tells less: friends exclaim too. */
const highestWeight = 2;
const highestOfManners = 0.7;
/** And only words that so large a share of honest mail has. */
const commonShare = 0.04;

/** Learns a model (logistic regression by AdaGrad). The same examples give the same model. */
export function train(corpus: readonly Example[], ordinary: readonly Example[]): Model {
  const examples = [...corpus, ...Array.from({ length: ordinaryTimes }, () => ordinary).flat()];
  const names = vocabulary(corpus);
  const index = new Map(names.map((name, at) => [name, at]));
  const highest = names.map((name) => (name.startsWith("(") ? highestOfManners : highestWeight));
  const rows = examples.map((example) => ({
    spam: example.spam,
    share: wordingShare(example.words),
    at: [...example.features].flatMap((feature) => index.get(feature) ?? []),
  }));
  const spamWeight = rows.filter(({ spam }) => !spam).length / rows.filter(({ spam }) => spam).length;
  const weights = new Float64Array(names.length);
  const squares = new Float64Array(names.length).fill(0.01);
  let bias = 0;
  let biasSquares = 0.01;
  const random = generator(42);
  for (let round = 0; round < rounds; round += 1) {
    for (const row of shuffled(rows, random)) {
      let odds = bias;
      for (const at of row.at) odds += (weights[at] ?? 0) * row.share;
      const slope = (1 / (1 + Math.exp(-odds)) - Number(row.spam)) * (row.spam ? spamWeight : 1);
      biasSquares += slope * slope;
      bias -= (step * slope) / Math.sqrt(biasSquares);
      for (const at of row.at) {
        const weight = weights[at] ?? 0;
        const pull = slope * row.share + l1 * Math.sign(weight);
        const sum = (squares[at] ?? 0) + pull * pull;
        squares[at] = sum;
        weights[at] = Math.min(
          highest[at] ?? highestWeight,
          Math.max(lowestWeight, weight - (step * pull) / Math.sqrt(sum)),
        );
      }
    }
  }
  const rounded = names.map((name, at) => [name, Math.round((weights[at] ?? 0) * 10) / 10] as const);
  return {
    bias: Math.round(bias * 100) / 100,
    weights: new Map(rounded.filter(([, weight]) => weight !== 0)),
  };
}

/** The log-odds of an example. */
export function judge({ bias, weights }: Model, { features, words }: WordingFeatures): number {
  let sum = 0;
  for (const feature of features) sum += weights.get(feature) ?? 0;
  return bias + sum * wordingShare(words);
}

/** The features that tell most, spam's and honest mail's. */
function vocabulary(corpus: readonly Example[]): string[] {
  const counts = new Map<string, { spam: number; ham: number }>();
  let [spamMails, hamMails] = [0, 0];
  for (const { spam, features } of corpus) {
    if (spam) spamMails += 1;
    else hamMails += 1;
    for (const feature of features) {
      const count = counts.get(feature) ?? { spam: 0, ham: 0 };
      count[spam ? "spam" : "ham"] += 1;
      counts.set(feature, count);
    }
  }
  return [...counts]
    .filter(([feature, { spam, ham }]) => spam + ham >= minMails && isTimeless(feature))
    .map(([feature, { spam, ham }]) => {
      const odds = Math.log((spam + 0.5) / (spamMails + 1)) - Math.log((ham + 0.5) / (hamMails + 1));
      return { feature, odds, common: ham / hamMails, tells: Math.abs(odds) * Math.sqrt(spam + ham) };
    })
    .filter(({ odds, common }) => odds > 0 || common >= commonShare)
    .toSorted((one, other) => other.tells - one.tells || (one.feature < other.feature ? -1 : 1))
    .slice(0, maxFeatures)
    .map(({ feature }) => feature);
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const copy = [...list];
  for (let last = copy.length - 1; last > 0; last -= 1) {
    const at = Math.floor(random() * (last + 1));
    [copy[last], copy[at]] = [copy[at] as T, copy[last] as T];
  }
  return copy;
}

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
}
