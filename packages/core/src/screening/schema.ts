import { z } from "zod";
import { Timestamp } from "../schema.ts";

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
