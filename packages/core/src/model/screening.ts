import { z } from "zod";
import type { SignalType } from "../catalogue/signals.ts";
import { Timestamp } from "./fields.ts";

/** What an inbox asks of screening: nothing, a warning label, or to hold back what looks suspicious. */
export const ScreeningMode = z.enum(["off", "observe", "hold"], { error: "invalid_screening" });
export type ScreeningMode = z.infer<typeof ScreeningMode>;

/** One thing that screening noticed: its kind, and one sentence that says what and where. */
export const SafetySignal = z.object({ type: z.string(), detail: z.string() });
export type SafetySignal = z.infer<typeof SafetySignal>;

/** What a person says of a mail, in screening's own words. */
export const FeedbackVerdict = z.enum(["clean", "suspicious"], { error: "invalid_verdict" });

/** What screening says of an inbound mail. Suspicious from 40 (interface, "Limits"). */
export const Safety = z.object({
  score: z.int().min(0).max(100),
  verdict: z.enum(["clean", "suspicious"]),
  signals: z.array(SafetySignal),
  mode: z.enum(["off", "observe", "hold"]),
  reason: z.enum(["screening_off", "screening_error", "screening_timeout"]).optional(),
  /** What a person said of it afterwards; absent until then. */
  feedback: z.object({ verdict: FeedbackVerdict, created_at: Timestamp }).optional(),
});
export type Safety = z.infer<typeof Safety>;

/** One signal that was found, with its sentence. Two findings of one kind in one mail count once. */
export interface Finding {
  type: SignalType;
  detail: string;
  /**
   * What it brings to the score, where that is a matter of degree; else what {@link SIGNALS} says of its
   * kind.
   */
  weight?: number;
}

/** The score (0 to 100) with its reasons; `timed_out` when the deadline cut the examination short. */
export interface ScreeningResult {
  score: number;
  findings: Finding[];
  timed_out: boolean;
}

/**
 * What the content of a mail shows, whoever sent it; `timed_out` when the deadline cut the examination short.
 */
export type ContentFindings = Pick<ScreeningResult, "findings" | "timed_out">;
