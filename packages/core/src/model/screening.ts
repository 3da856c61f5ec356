import { z } from "zod";
import type { SignalType } from "../catalogue/signals.ts";
import { Timestamp } from "./fields.ts";

/** What screening does for an inbox: nothing, add a warning label, or hold suspicious mail. */
export const ScreeningMode = z.enum(["off", "observe", "hold"], { error: "invalid_screening" });
export type ScreeningMode = z.infer<typeof ScreeningMode>;

/** One thing that screening noticed: its kind, and a sentence saying what and where. */
export const SafetySignal = z.object({ type: z.string(), detail: z.string() });
export type SafetySignal = z.infer<typeof SafetySignal>;

/** A person's verdict on a mail. */
export const FeedbackVerdict = z.enum(["clean", "suspicious"], { error: "invalid_verdict" });

/** The screening result of an inbound mail. Suspicious from 40 (interface, "Limits"). */
export const Safety = z.object({
  score: z.int().min(0).max(100),
  verdict: z.enum(["clean", "suspicious"]),
  signals: z.array(SafetySignal),
  mode: z.enum(["off", "observe", "hold"]),
  reason: z.enum(["screening_off", "screening_error", "screening_timeout"]).optional(),
  /** Feedback from a person; absent until then. */
  feedback: z.object({ verdict: FeedbackVerdict, created_at: Timestamp }).optional(),
});
export type Safety = z.infer<typeof Safety>;

/** One signal that was found, with its sentence. Several findings of one kind count once. */
export interface Finding {
  type: SignalType;
  detail: string;
  /** Its weight, for kinds with degrees; otherwise {@link SIGNALS} has the weight. */
  weight?: number;
}

/** The score (0 to 100) with its reasons; `timed_out` if the deadline ended the examination early. */
export interface ScreeningResult {
  score: number;
  findings: Finding[];
  timed_out: boolean;
}

/**
 * The findings in a mail's content, whoever sent it; `timed_out` if the deadline ended the examination early.
 */
export type ContentFindings = Pick<ScreeningResult, "findings" | "timed_out">;
