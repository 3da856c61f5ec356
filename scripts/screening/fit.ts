import {
  FAMILY_CAPS,
  SIGNALS,
  type SignalFamily,
  type SignalType,
  SUSPICIOUS_FROM,
} from "../../packages/core/src/catalogue/signals.ts";
import { scoreOf } from "../../packages/core/src/mail/screening/score/score.ts";
import { GIVEN_WEIGHTS } from "../../packages/core/src/mail/screening/score/weights.ts";
import { ASKED_AT_FIRST } from "../../packages/core/src/mail/screening/signals/first-contact.ts";
import type { FittedWeights } from "../../packages/core/src/model/screening.ts";
import { FOLDS, type ScreenedCase } from "./cases.ts";

/**
 * The maximum share of each kind of honest mail that may be held; for lists and business a little below the targets of
 * 0.5 % and 1 %.
 */
export const FALSE_ALARMS: Readonly<Record<string, number>> = {
  ham_modern: 0.01,
  ham_enron_raw: 0.008,
  "list mail": 0.004,
  ham_trigger_words: 0.01,
  honest_account_mails: 0.003,
  honest_templates: 0.003,
  honest_brand_mails: 0.003,
  honest_lists_2010: 0.004,
  "invented honest mail": 0.001,
};

/** The initial weight of a mail of each set; that of honest mail grows until its false alarms are within budget. */
const COUNTS: Readonly<Record<string, number>> = {
  phish: 1,
  "invented fraud": 14,
  // From 2002: a weak sign for offers, and none for phishing.
  "old spam": 0.05,
  "list mail": 0.3,
};
/** A budget is met with something in reserve: mail that wasn't fitted on is held a little more often. */
const RESERVE = 0.5;
const MOST_ROUNDS = 8;
const STEPS = 200;
const STEP = 0.08;
/** The steepness of the comparison of a mail's sum with the mark. */
const SHARPNESS = 8;
/** The number of mails whose evidence balances one step of the prior on a weight. */
const HELD_BY_PRIOR = 4.5;
const PAIR_HELD_BY_PRIOR = 9;
/** Pairs that fewer harmful mails have are not considered. */
const LEAST_PAIRS = 8;
const LEAST_PAIR_WEIGHT = 3;
/** Families that these mails can tell of. Commands to a model, programs and hiding places keep the weights we gave. */
const FITTED_FAMILIES: ReadonlySet<SignalFamily> = new Set([
  "sender",
  "links",
  "layout",
  "credentials",
  "money",
  "lures",
]);
/**
 * Signals that mail of today has and mail of 2001 lacked, whoever wrote it. Most honest mail here is that old, so these
 * weigh no more than we gave them: an age must not be mistaken for an intention.
 */
const OF_TODAY: ReadonlySet<SignalType> = new Set<SignalType>([
  "brand_picture",
  "caption_only",
  "hosted_picture",
  "link_brand_in_path",
  "link_deep_host",
  "link_long_fragment",
  "link_redirector",
  "link_script_file",
  "link_token",
  "lone_button",
  "page_alone",
  "sent_by_script",
  "unsubscribe_unannounced",
  "emoji_headline",
  "hosted_sender",
  "link_hosted",
  "link_punycode",
  "link_shortener",
  "lone_link",
  "lure_payout",
  "picture_code_link",
  "picture_link",
  "qr_code",
  "qr_sign_in",
  "styled_letters",
]);
/** Signals of modern pages, honest or not: two of these together are no more evidence than the page itself. */
const OF_PAGES: ReadonlySet<SignalType> = new Set<SignalType>([
  ...(Object.keys(SIGNALS) as SignalType[]).filter((type) => SIGNALS[type].family === "layout"),
  "click_here",
  "link_deep_host",
  "link_long_fragment",
  "link_token",
  "links_elsewhere",
  "lone_link",
  "picture_link",
  "single_target",
]);
/** The maximum weight of a layout signal together with another: no set has honest pages of today. */
const MOST_WITH_LAYOUT = 20;
/**
 * Signals of honest senders who write from a shared mailbox or use a nickname. Together with a signal of modern pages
 * they are no more than a hint.
 */
const OF_NAMES: ReadonlySet<SignalType> = new Set<SignalType>(["unrelated_name", "unrelated_site"]);
const MOST_WITH_NAME = 20;
const MOST_OF_NAME_AND_PAGE = 9;
/** Below the mark: it takes a second signal. */
const MOST_ALONE = SUSPICIOUS_FROM - 2;

/** Returns the weight that must be added to another to make both together suspicious. */
const restOfMark = (weight: number): number =>
  Math.ceil(100 * (1 - (1 - (SUSPICIOUS_FROM - 0.1) / 100) / (1 - weight / 100)));

/**
 * An account, a mailbox or a parcel that is seen to on a page that anyone can put up; a borrowed name that wants to be
 * phoned; a quiet favour for somebody who can't be.
 */
const OUR_PAIRS: ReadonlyMap<string, number> = new Map([
  ...[
    "account_threat",
    "delivery_problem",
    "mailbox_full",
    "shared_document",
    "verify_account",
    "voice_message",
  ].map((claim): [string, number] => [[claim, "link_hosted"].sort().join(" "), 12]),
  // Requests that nobody makes in a short first mail: a first contact with one of them is held.
  ...[...ASKED_AT_FIRST].map((asked): [string, number] => [
    ["first_contact", asked].sort().join(" "),
    restOfMark(GIVEN_WEIGHTS[asked]),
  ]),
  ["brand_in_name callback", 24],
  ["quiet_favour unreachable", 20],
  ["picture_code_link qr_sign_in", 24],
  ["picture_code_link verify_account", 16],
  ["account_threat picture_code_link", 16],
]);

/** Kinds that all mail here has that could have them: from their absence nothing can be learnt. */
const SAME_IN_ALL: ReadonlySet<string> = new Set<SignalType>(["first_contact"]);

/** Weights add up as these: a mail is suspicious from the sum of a weight of 40. */
const sumOf = (weight: number): number => -Math.log(1 - weight / 100);
const weightOf = (sum: number): number => Math.round(100 * (1 - Math.exp(-sum)));
/** A score is rounded, so that 39.5 is 40. */
const MARK = sumOf(SUSPICIOUS_FROM - 0.5);

/** Fits weights so that as much harmful mail as possible is held within the budgets for honest mail. */
export function fitWeights(cases: readonly ScreenedCase[]): FittedWeights {
  const counts: Record<string, number> = { ...COUNTS };
  let weights = fitOnce(cases, counts);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const over = Object.entries(FALSE_ALARMS).filter(([set, most]) =>
      isOverBudget(cases, set, most, weights),
    );
    if (over.length === 0) break;
    for (const [set] of over) counts[set] = 2 * (counts[set] ?? 1);
    weights = fitOnce(cases, counts);
  }
  return weights;
}

/** A case with its score by weights that it wasn't fitted on, as from a stranger and as from an authenticated one. */
export type JudgedCase = ScreenedCase & { score: number; score_authenticated: number };

/** Judges each case by weights that were fitted on the other parts. */
export function judgeHeldOut(cases: readonly ScreenedCase[]): JudgedCase[] {
  return Array.from({ length: FOLDS }, (_, fold) => {
    const weights = fitWeights(cases.filter((one) => one.fold !== fold));
    return cases
      .filter((one) => one.fold === fold)
      .map((one) => ({
        ...one,
        score: scoreOfCase(one, weights),
        score_authenticated: scoreOfCase({ ...one, found: one.found_authenticated }, weights),
      }));
  }).flat();
}

/** The score that production gives a case. */
const scoreOfCase = ({ found, softening }: ScreenedCase, weights: FittedWeights): number =>
  scoreOf(
    found.map((type) => ({ type })),
    softening,
    weights,
  );

const isHeld = (one: ScreenedCase, weights: FittedWeights): boolean =>
  scoreOfCase(one, weights) >= SUSPICIOUS_FROM;

/** The share of a budget that is reserved for fitted weights, even if the others use up more. */
const LEAST_LEFT = 0.15;

/**
 * Whether more of a set is held than its budget allows. Mail that is held by weights which aren't fitted uses up a part
 * of it, but can't be let go by counting it more.
 */
function isOverBudget(
  cases: readonly ScreenedCase[],
  set: string,
  most: number,
  weights: FittedWeights,
): boolean {
  const asked = cases.filter((one) => one.set === set);
  const held = asked.filter((one) => isHeld(one, weights));
  const given = held.filter((one) =>
    isHeld({ ...one, found: one.found.filter((type) => !isFitted(type)) }, weights),
  );
  const budget = asked.length * most * RESERVE;
  return held.length - given.length > Math.max(budget - given.length, budget * LEAST_LEFT);
}

interface Parameter {
  sum: number;
  prior: number;
  most: number;
  held_back: number;
  gradient: number;
  squares: number;
}

/** Logistic regression on the sums, with weights from 0 up that are drawn towards ours (AdaGrad). */
function fitOnce(cases: readonly ScreenedCase[], counts: Readonly<Record<string, number>>): FittedWeights {
  const parameters = new Map<string, Parameter>();
  const add = (name: string, prior: number, most: number, held_back: number) =>
    parameters.set(name, { sum: prior, prior, most, held_back, gradient: 0, squares: 1e-8 });
  for (const [type, weight] of Object.entries(GIVEN_WEIGHTS)) {
    const most = OF_TODAY.has(type as SignalType) ? weight : MOST_ALONE;
    add(type, sumOf(weight), sumOf(Math.max(weight, most)), HELD_BY_PRIOR);
  }
  for (const pair of new Set([...OUR_PAIRS.keys(), ...frequentPairs(cases)]))
    add(pair, sumOf(OUR_PAIRS.get(pair) ?? 0), sumOf(mostTogether(pair)), PAIR_HELD_BY_PRIOR);

  const mails = alike(cases).map(({ one, times }) => ({
    harmful: one.harmful,
    counts: times * (counts[one.set] ?? 1) * SHARPNESS,
    families: familiesOf(one, parameters),
    pairs: pairsOf(one.found).flatMap((pair) => parameters.get(pair) ?? []),
  }));
  for (let step = 0; step < STEPS; step += 1) {
    for (const mail of mails) {
      let sum = 0;
      const totals = mail.families.map(({ parts, cap, softened }) => {
        const total = parts.reduce((all, part) => all + part.sum, 0);
        sum += Math.min(total, cap) * softened;
        return total;
      });
      for (const pair of mail.pairs) sum += pair.sum;
      const error = (1 / (1 + Math.exp(-SHARPNESS * (sum - MARK))) - (mail.harmful ? 1 : 0)) * mail.counts;
      mail.families.forEach(({ parts, cap, softened }, index) => {
        // Above its cap more of a family changes nothing.
        if ((totals[index] ?? 0) > cap && error < 0) return;
        for (const part of parts) part.gradient += error * softened;
      });
      for (const pair of mail.pairs) pair.gradient += error;
    }
    for (const [name, parameter] of parameters) {
      if (!isFitted(name)) continue;
      const { sum, prior, held_back } = parameter;
      const gradient = parameter.gradient + held_back * SHARPNESS * (sum - prior);
      parameter.gradient = 0;
      parameter.squares += gradient * gradient;
      const moved = sum - (STEP * gradient) / Math.sqrt(parameter.squares);
      parameter.sum = Math.min(parameter.most, Math.max(0, moved));
    }
  }
  return readWeights(parameters);
}

function mostTogether(pair: string): number {
  const types = pair.split(" ") as SignalType[];
  if (types.some((type) => OF_NAMES.has(type)))
    return types.some((type) => OF_PAGES.has(type)) ? MOST_OF_NAME_AND_PAGE : MOST_WITH_NAME;
  return types.some((type) => SIGNALS[type].family === "layout") ? MOST_WITH_LAYOUT : MOST_ALONE;
}

/** Cases of a set with the same findings, and how many they are: to the fitting they are one. */
function alike(cases: readonly ScreenedCase[]): { one: ScreenedCase; times: number }[] {
  const groups = new Map<string, { one: ScreenedCase; times: number }>();
  for (const one of cases) {
    const name = JSON.stringify([one.set, one.harmful, [...new Set(one.found)].sort(), one.softening]);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, { one, times: 1 });
    else group.times += 1;
  }
  return [...groups.values()];
}

/** Signals that hold mail alone keep the weights we gave; other signals and their pairs are fitted. */
const isFitted = (name: string): boolean => {
  const types = name.split(" ") as SignalType[];
  return (
    types.every((type) => !SAME_IN_ALL.has(type)) &&
    types.every(
      (type) => FITTED_FAMILIES.has(SIGNALS[type].family) && GIVEN_WEIGHTS[type] < SUSPICIOUS_FROM,
    ) &&
    !(types.length > 1 && types.every((type) => OF_PAGES.has(type)))
  );
};

function familiesOf({ found, softening }: ScreenedCase, parameters: ReadonlyMap<string, Parameter>) {
  const families = Map.groupBy(new Set(found), (type) => SIGNALS[type].family);
  return [...families].map(([family, types]) => ({
    parts: types.flatMap((type) => parameters.get(type) ?? []),
    cap: sumOf(FAMILY_CAPS[family]),
    softened: softening[family] ?? 1,
  }));
}

function frequentPairs(cases: readonly ScreenedCase[]): string[] {
  const seen = new Map<string, number>();
  for (const { set, found } of cases)
    if (set === "phish") for (const pair of pairsOf(found)) seen.set(pair, (seen.get(pair) ?? 0) + 1);
  return [...seen].filter(([pair, times]) => times >= LEAST_PAIRS && isFitted(pair)).map(([pair]) => pair);
}

function pairsOf(found: readonly SignalType[]): string[] {
  const types = [...new Set(found)].sort();
  return types.flatMap((one, index) => types.slice(index + 1).map((other) => `${one} ${other}`));
}

function readWeights(parameters: ReadonlyMap<string, Parameter>): FittedWeights {
  const alone: FittedWeights["alone"] = {};
  const together: [SignalType, SignalType, number][] = [];
  for (const [name, { sum }] of parameters) {
    const weight = weightOf(sum);
    const [one, other] = name.split(" ") as [SignalType, SignalType | undefined];
    if (other !== undefined) {
      if (weight >= LEAST_PAIR_WEIGHT) together.push([one, other, weight]);
    } else if (weight !== GIVEN_WEIGHTS[one]) alone[one] = weight;
  }
  return { alone, together: together.sort(([, , one], [, , other]) => other - one) };
}
