import {
  FAMILY_CAPS,
  SIGNALS,
  type SignalFamily,
  type SignalType,
  SUSPICIOUS_FROM,
  WORDING_ALONE,
} from "../../catalogue/signals.ts";
import type { Finding, Safety, ScreeningMode, ScreeningResult } from "../../model/screening.ts";

/** How much a good sender reduces a family's share: 1 leaves it, 0 removes it. */
export type Softening = Partial<Record<SignalFamily, number>>;

/**
 * The score of findings, from 0 to 100. Each weight is a probability of harm; kinds within a family, then
 * families, combine as independent probabilities (1 − ∏(1 − w)). So single weak signals stay low, families
 * add up, and the total never exceeds 100.
 */
export function scoreOf(
  findings: readonly Pick<Finding, "type" | "weight">[],
  softening: Softening = {},
): number {
  const left = new Map<SignalFamily, number>();
  const seen = new Set<SignalType>();
  for (const { type, weight = SIGNALS[type].weight } of findings) {
    if (seen.has(type)) continue;
    seen.add(type);
    const { family } = SIGNALS[type];
    left.set(family, (left.get(family) ?? 1) * (1 - weight / 100));
  }
  let harmless = 1;
  for (const [family, rest] of left) {
    const share = Math.min(1 - rest, capOf(family, left.size === 1) / 100) * (softening[family] ?? 1);
    harmless *= 1 - share;
  }
  return Math.round(100 * (1 - harmless));
}

function capOf(family: SignalFamily, alone: boolean): number {
  return alone && family === "wording" ? WORDING_ALONE : FAMILY_CAPS[family];
}

/** Why a mail was not scored, or only in part. */
export type SkipReason = NonNullable<Safety["reason"]>;

/**
 * The verdict that is stored with the message (interface, "Message"). A skipped screening is score 0, clean,
 * with its reason. After a timeout, the findings so far and their score stand, and the reason says that they
 * may be incomplete. With mode off nothing is scored. Of mail that is held nothing is quoted.
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
