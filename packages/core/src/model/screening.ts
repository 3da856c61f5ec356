import { z } from "zod";
import type { SignalType } from "../catalogue/signals.ts";
import { Timestamp } from "./fields.ts";

/** The effect of screening on an inbox: none, a warning label, or holding suspicious mail. */
export const ScreeningMode = z.enum(["off", "observe", "hold"], { error: "invalid_screening" });
export type ScreeningMode = z.infer<typeof ScreeningMode>;

/** The releaser of held mail: a key with the permission, or people with authority, whom a key asks. */
export const ReleaseBy = z.enum(["key", "authority"], { error: "invalid_release_by" });
export type ReleaseBy = z.infer<typeof ReleaseBy>;

/** A finding of screening: its kind, and a sentence that says what and where. */
export const SafetySignal = z
  .object({
    type: z.string().describe("The kind of signal."),
    detail: z
      .string()
      .describe("What was noticed and where, in one sentence; of held mail it quotes nothing."),
  })
  .meta({ title: "SafetySignal" });
export type SafetySignal = z.infer<typeof SafetySignal>;

/** A person's verdict on a mail. */
export const FeedbackVerdict = z.enum(["clean", "suspicious"], { error: "invalid_verdict" });

/** The screening result of an inbound mail. Suspicious from 40 (interface, "Limits"). */
export const Safety = z
  .object({
    score: z.int().min(0).max(100).describe("How suspicious it is, from 0 to 100."),
    verdict: z.enum(["clean", "suspicious"]).describe("`suspicious` from a score of 40."),
    signals: z.array(SafetySignal).describe("What was noticed."),
    mode: z
      .enum(["off", "observe", "hold"])
      .describe("What screening was set to do for the inbox when the mail came."),
    reason: z
      .enum(["screening_off", "screening_error", "screening_timeout"])
      .optional()
      .describe("Why scoring was skipped or cut short; absent when it was complete."),
    feedback: z
      .object({
        verdict: FeedbackVerdict.describe("The person's verdict."),
        created_at: Timestamp.describe("When they said it (ISO 8601, UTC)."),
      })
      .meta({ title: "ScreeningFeedback" })
      .optional()
      .describe("What a person said of the verdict; absent until then."),
  })
  .meta({ title: "Safety" });
export type Safety = z.infer<typeof Safety>;

/** One signal that was found, with its sentence. Several findings of one kind count once. */
export interface Finding {
  type: SignalType;
  detail: string;
  /** The same without a word of the mail, for mail that is held. */
  detail_if_held: string;
}

/** The weights of signals as fitted to real mail: alone, and added when two occur together. */
export interface FittedWeights {
  alone: Partial<Record<SignalType, number>>;
  together: readonly (readonly [one: SignalType, other: SignalType, weight: number])[];
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
