import {
  FAMILY_CAPS,
  SIGNALS,
  type SignalFamily,
  type SignalType,
  SUSPICIOUS_FROM,
  WORDING_ALONE,
} from "../../catalogue/signals.ts";
import type { Finding, Safety, ScreeningMode, ScreeningResult } from "../../model/screening.ts";

/** How far a good sender softens a family: 1 leaves it as it is, 0 takes it away. */
export type Softening = Partial<Record<SignalFamily, number>>;

/**
 * The score of findings, 0 to 100. Each weight is read as a chance of harm: kinds of one family and then the
 * families are joined as independent chances (1 − ∏(1 − w)), so that single weak signals stay low, families
 * compound and the sum never passes 100.
 */
export function scoreOf(findings: readonly Finding[], softening: Softening = {}): number {
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

/** Why a mail was not scored, or not to the end. */
export type SkipReason = NonNullable<Safety["reason"]>;

/**
 * What is stored with the message (interface, "Message"). A skipped screening is score 0, clean, with its
 * reason. After a time-out the findings so far stand with their score, and the reason says that they may not
 * be all. With mode off nothing is scored.
 */
export function toSafety(outcome: ScreeningResult | SkipReason, mode: ScreeningMode = "observe"): Safety {
  if (mode === "off") return skipped("screening_off", mode);
  if (typeof outcome === "string") return skipped(outcome, mode);
  const safety: Safety = {
    score: outcome.score,
    verdict: outcome.score >= SUSPICIOUS_FROM ? "suspicious" : "clean",
    signals: outcome.findings.map(({ type, detail }) => ({ type, detail })),
    mode,
  };
  return outcome.timed_out ? { ...safety, reason: "screening_timeout" } : safety;
}

function skipped(reason: SkipReason, mode: ScreeningMode): Safety {
  return { score: 0, verdict: "clean", signals: [], mode, reason };
}
