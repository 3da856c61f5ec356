import { wordingShare } from "../../packages/core/src/mail/screening/wording.ts";
import type { WordingFeatures } from "../../packages/core/src/mail/screening/wording-features.ts";
import { isTimeless } from "./timeless.ts";

/** A training mail. Mails of one campaign share a `group`, so that none is both trained on and held out. */
export interface Example extends WordingFeatures {
  group: number;
  spam: boolean;
}

/** A trained model: the log-odds of spam are `bias` plus the weights of a mail's features times `wordingShare`. */
export interface Model {
  bias: number;
  weights: Map<string, number>;
}

const MIN_MAILS = 8;
const MAX_FEATURES = 8_000;
const ROUNDS = 12;
const STEP = 0.2;
const L1 = 1e-4;
/** How often the present-day mail is repeated per pass over the corpus. */
const ORDINARY_REPEATS = 10;
/** Limits the evidence against spam: the words of the corpus's honest mail are topics of its mailing lists. */
const MIN_WEIGHT = -0.3;
/** Limits the evidence for spam: no single word is decisive, and style even less, since friends exclaim too. */
const MAX_WEIGHT = 2;
const MAX_STYLE_WEIGHT = 0.7;
/** A word counts against spam only if at least this share of honest mail contains it. */
const COMMON_SHARE = 0.04;

/** Trains a model (logistic regression with AdaGrad). The same examples give the same model. */
export function train(corpus: readonly Example[], ordinary: readonly Example[]): Model {
  const examples = [...corpus, ...Array.from({ length: ORDINARY_REPEATS }, () => ordinary).flat()];
  const names = vocabulary(corpus);
  const index = new Map(names.map((name, at) => [name, at]));
  const highest = names.map((name) => (name.startsWith("(") ? MAX_STYLE_WEIGHT : MAX_WEIGHT));
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
  const random = createRandom(42);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const row of shuffle(rows, random)) {
      let odds = bias;
      for (const at of row.at) odds += (weights[at] ?? 0) * row.share;
      const slope = (1 / (1 + Math.exp(-odds)) - Number(row.spam)) * (row.spam ? spamWeight : 1);
      biasSquares += slope * slope;
      bias -= (STEP * slope) / Math.sqrt(biasSquares);
      for (const at of row.at) {
        const weight = weights[at] ?? 0;
        const pull = slope * row.share + L1 * Math.sign(weight);
        const sum = (squares[at] ?? 0) + pull * pull;
        squares[at] = sum;
        weights[at] = Math.min(
          highest[at] ?? MAX_WEIGHT,
          Math.max(MIN_WEIGHT, weight - (STEP * pull) / Math.sqrt(sum)),
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

/** Selects the most informative features of spam and honest mail. */
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
    .filter(([feature, { spam, ham }]) => spam + ham >= MIN_MAILS && isTimeless(feature))
    .map(([feature, { spam, ham }]) => {
      const odds = Math.log((spam + 0.5) / (spamMails + 1)) - Math.log((ham + 0.5) / (hamMails + 1));
      return { feature, odds, common: ham / hamMails, information: Math.abs(odds) * Math.sqrt(spam + ham) };
    })
    .filter(({ odds, common }) => odds > 0 || common >= COMMON_SHARE)
    .toSorted((one, other) => other.information - one.information || (one.feature < other.feature ? -1 : 1))
    .slice(0, MAX_FEATURES)
    .map(({ feature }) => feature);
}

function shuffle<T>(list: readonly T[], random: () => number): T[] {
  const copy = [...list];
  for (let last = copy.length - 1; last > 0; last -= 1) {
    const at = Math.floor(random() * (last + 1));
    [copy[last], copy[at]] = [copy[at] as T, copy[last] as T];
  }
  return copy;
}

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
}
