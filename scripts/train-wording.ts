import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SIGNALS } from "../packages/core/src/catalogue/signals.ts";
import { parseMail } from "../packages/core/src/mail/parse.ts";

import { foldText } from "../packages/core/src/mail/screening/fold.ts";
import { scoreOf } from "../packages/core/src/mail/screening/score.ts";
import { wordingOf } from "../packages/core/src/mail/screening/screen.ts";
import { MIN_WORDS, wordingWeight } from "../packages/core/src/mail/screening/wording.ts";
import { wordingFeatures } from "../packages/core/src/mail/screening/wording-features.ts";
import type { Finding } from "../packages/core/src/model/screening.ts";
import { screenStranger } from "./accuracy/screening-sets.ts";
import { readSpamCorpus } from "./accuracy/spam-package.ts";
import { run } from "./run-command.ts";
import { type Example, judge, type Model, train } from "./wording/model.ts";
import { ORDINARY_MAIL } from "./wording/ordinary-mail.ts";

/** Trains `packages/core/src/mail/screening/wording-weights.ts` on the SpamAssassin corpus and prints its accuracy. */
const target = fileURLToPath(
  new URL("../packages/core/src/mail/screening/wording-weights.ts", import.meta.url),
);
const FOLDS = 5;
/** The finding's weight at which `share` of held-out honest mail scores at least as high. */
const SHARES = [
  { share: 0.03, weight: 10 },
  { share: 0.01, weight: 26 },
  { share: 0.005, weight: 32 },
  { share: 0.003, weight: 36 },
  { share: 0.001, weight: 50 },
  { share: 0.0003, weight: 60 },
];

/** A mail of the corpus, with screening's findings other than its wording. */
interface CorpusMail extends Example {
  others: Finding[];
}

const corpus: CorpusMail[] = [];
for await (const { id, spam, raw } of readSpamCorpus()) {
  const mail = await parseMail(raw);
  const campaign = mail.subject
    .toLowerCase()
    .replace(/^(?:re|fwd?):\s*/, "")
    .replace(/[^a-z]/g, "")
    .slice(0, 25);
  const others = screenStranger(mail).findings.filter(({ type }) => SIGNALS[type].family !== "wording");
  corpus.push({
    ...wordingFeatures(wordingOf(mail)),
    spam,
    group: assignFold(campaign === "" ? id : campaign),
    others,
  });
}
const ordinary = ORDINARY_MAIL.map((text) => ({
  ...wordingFeatures([{ text, folded: foldText(text) }]),
  spam: false,
  group: -1,
}));

const heldOut: { example: CorpusMail; odds: number }[] = [];
for (let fold = 0; fold < FOLDS; fold += 1) {
  const model = train(
    corpus.filter(({ group }) => group !== fold),
    ordinary,
  );
  for (const example of corpus.filter(({ group }) => group === fold))
    heldOut.push({ example, odds: judge(model, example) });
}
const scale = SHARES.map(({ share, weight }) => [round(rankAt(share, ({ odds }) => odds)), weight] as const);
for (const { share } of SHARES) report("The wording alone", share, ({ odds }) => odds);
for (const share of [0.01, 0.005]) report("All of screening", share, scoreHeldOut);

writeFileSync(target, formatModel(train(corpus, ordinary)));
await run("biome", ["check", "--write", target]);

/** The score of a mail whose wording is judged by a model that was not trained on it. */
function scoreHeldOut({ example, odds }: (typeof heldOut)[number]): number {
  const weight = example.words < MIN_WORDS ? 0 : wordingWeight(odds, scale);
  return scoreOf(weight === 0 ? example.others : [...example.others, { type: "spam_wording", weight }]);
}

function report(what: string, share: number, rank: (one: (typeof heldOut)[number]) => number): void {
  const from = rankAt(share, rank);
  const spam = heldOut.filter(({ example }) => example.spam);
  const caught = spam.filter((one) => rank(one) > from).length / spam.length;
  console.log(
    `${what}, at ${100 * share} % false alarms, catches ${(100 * caught).toFixed(1)} % of held-out spam.`,
  );
}

/** The rank above which `share` of the honest mail lies. */
function rankAt(share: number, rank: (one: (typeof heldOut)[number]) => number): number {
  const honest = heldOut.filter(({ example }) => !example.spam).map(rank);
  return honest.toSorted((one, other) => other - one)[Math.floor(honest.length * share)] ?? 0;
}

function formatModel({ bias, weights }: Model): string {
  const byWeight = Map.groupBy(
    [...weights].toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ([, weight]) => weight,
  );
  const rows = [...byWeight].toSorted(([one], [other]) => other - one);
  const lines = rows.map(
    ([weight, features]) => `[${weight}, ${JSON.stringify(features.map(([name]) => name).join("|"))}],`,
  );
  return [
    "// Written by scripts/train-wording.ts from a corpus in the public domain; change that, not this.",
    "/** The log-odds of unsolicited mail without a word. */",
    `export const WORDING_BIAS = ${bias};`,
    "/** What the finding weighs at which log-odds, rising. */",
    "export const WORDING_SCALE: readonly (readonly [odds: number, weight: number])[] = [",
    ...scale.map(([odds, weight]) => `[${odds}, ${weight}],`),
    "];",
    "/** What each feature adds; features of one weight are joined by bars. */",
    "export const WORDING_WEIGHTS: readonly (readonly [weight: number, features: string])[] = [",
    ...lines,
    "];",
    "",
  ].join("\n");
}

function assignFold(text: string): number {
  let hash = 7;
  for (const letter of text) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0;
  return hash % FOLDS;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
