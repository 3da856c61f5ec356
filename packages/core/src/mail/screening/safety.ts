import { SUSPICIOUS_FROM } from "../../catalogue/signals.ts";
import type { Safety, ScreeningMode, ScreeningResult } from "../../model/screening.ts";

/** Why a mail was not scored, or not to the end. */
export type SkipReason = NonNullable<Safety["reason"]>;

/**
 * What is stored with the message (interface, "Message"). A skipped screening is score 0, clean, with its
 * reason. After a time-out the findings so far stand with their score, and the reason says that they may not
 * be all. With mode off nothing is scored.
 */
export function toSafety(outcome: ScreeningResult | SkipReason, mode: ScreeningMode): Safety {
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
