import {
  FAMILY_CAPS,
  SIGNALS,
  type SignalFamily,
  type SignalType,
  SUSPICIOUS_FROM,
} from "../../../catalogue/signals.ts";
import type {
  Finding,
  FittedWeights,
  Safety,
  ScreeningMode,
  ScreeningResult,
} from "../../../model/screening.ts";
import { FITTED, GIVEN_WEIGHTS } from "./weights.ts";

/** The reduction of a family's share for a good sender: 1 leaves it, 0 removes it. */
export type Softening = Partial<Record<SignalFamily, number>>;

/**
 * The score of findings, from 0 to 100. Each weight is a probability of harm; kinds within a family, then families
 * and pairs of kinds, combine as independent probabilities (1 − ∏(1 − w)). So single weak signals stay low, families
 * add up, and the total never exceeds 100.
 */
export function scoreOf(
  findings: readonly Pick<Finding, "type">[],
  softening: Softening = {},
  { alone, together }: FittedWeights = FITTED,
): number {
  const found = new Set<SignalType>(findings.map(({ type }) => type));
  const left = new Map<SignalFamily, number>();
  for (const type of found) {
    const { family } = SIGNALS[type];
    left.set(family, (left.get(family) ?? 1) * (1 - (alone[type] ?? GIVEN_WEIGHTS[type]) / 100));
  }
  let harmless = 1;
  for (const [family, rest] of left)
    harmless *= 1 - Math.min(1 - rest, FAMILY_CAPS[family] / 100) * (softening[family] ?? 1);
  const pairs = pairsByFirst(together);
  for (const one of found)
    for (const [, other, weight] of pairs.get(one) ?? []) {
      if (!found.has(other)) continue;
      const softened = [one, other].map((type) => softening[SIGNALS[type].family] ?? 1);
      harmless *= 1 - (weight / 100) * Math.min(...softened);
    }
  const score = Math.round(100 * (1 - harmless));
  const weighty = [...found].filter((type) => (alone[type] ?? GIVEN_WEIGHTS[type]) > 0);
  return found.has("first_contact") && isOneSign(weighty) ? Math.min(score, SUSPICIOUS_FROM - 1) : score;
}

/** Words that honest mail has too, if rarely: in a stranger's short mail they take a second sign. */
const SAID_BY_PEOPLE: ReadonlySet<SignalType> = new Set<SignalType>([
  "answer_dictated",
  "fiction_frame",
  "model_addressed",
  "override_vague",
  "repeated_words",
  "role_change",
  "secret_question",
  "user_in_third_person",
]);
/** Signs of nearly every mail, beside which a single other one stays alone. */
const ORDINARY: ReadonlySet<SignalType> = new Set<SignalType>([
  "click_here",
  "first_contact",
  "links_elsewhere",
  "lone_link",
  "single_target",
]);

/** Whether a stranger's mail has no sign but a few words that people say: everybody writes for a first time. */
function isOneSign(weighty: readonly SignalType[]): boolean {
  const [one, ...others] = weighty.filter((type) => !ORDINARY.has(type));
  return others.length === 0 && one !== undefined && SAID_BY_PEOPLE.has(one);
}

type Pairs = FittedWeights["together"];

const KNOWN_PAIRS = new WeakMap<Pairs, Map<SignalType, Pairs[number][]>>();

/** Groups the pairs by their first kind, once for each list of weights. */
function pairsByFirst(pairs: Pairs): Map<SignalType, Pairs[number][]> {
  const known = KNOWN_PAIRS.get(pairs) ?? Map.groupBy(pairs, ([one]) => one);
  KNOWN_PAIRS.set(pairs, known);
  return known;
}

/** The reason why a mail was not scored, or only in part. */
export type SkipReason = NonNullable<Safety["reason"]>;

/**
 * The verdict that is stored with the message (interface, "Message"). A skipped screening is score 0, clean, with its
 * reason. After a timeout, the findings so far and their score stand, and the reason says that they may be incomplete.
 * With mode off nothing is scored. Held mail is never quoted.
 */
export function toSafety(outcome: ScreeningResult | SkipReason, mode: ScreeningMode = "observe"): Safety {
  if (mode === "off") return skipped("screening_off", mode);
  if (typeof outcome === "string") return skipped(outcome, mode);
  const suspicious = outcome.score >= SUSPICIOUS_FROM;
  const held = suspicious && mode === "hold";
  const safety: Safety = {
    score: outcome.score,
    verdict: suspicious ? "suspicious" : "clean",
    signals: outcome.findings.map(({ type, detail, detail_if_held }) => ({
      type,
      detail: held ? detail_if_held : detail,
    })),
    mode,
  };
  return outcome.timed_out ? { ...safety, reason: "screening_timeout" } : safety;
}

function skipped(reason: SkipReason, mode: ScreeningMode): Safety {
  return { score: 0, verdict: "clean", signals: [], mode, reason };
}
