import { z } from "zod";
import { LIMITS } from "../catalogue/limits.ts";
import { Line, Timestamp, TimestampInput } from "./fields.ts";

/** The type of answer that a question asks for. */
export const QuestionType = z.enum(["choice", "yes_no", "number", "date", "text"], {
  error: "invalid_question",
});
export type QuestionType = z.infer<typeof QuestionType>;

/**
 * An owner's answer: a boolean for yes_no, a number, a date as YYYY-MM-DD, the text of an option, or text.
 */
export const AnswerValue = z.union([z.string().max(LIMITS.answer_chars), z.number(), z.boolean()], {
  error: "invalid_question",
});
export type AnswerValue = z.infer<typeof AnswerValue>;

/** A typed question as input; `rules.ts` checks that its fields fit together. */
export const QuestionInput = z.strictObject({
  type: QuestionType,
  /** The options; only for `choice`. */
  options: z
    .array(Line(LIMITS.update_line_chars).min(1), { error: "invalid_question" })
    .min(2, { error: "invalid_question" })
    .max(LIMITS.question_options, { error: "invalid_question" })
    .optional(),
  /** The answer if nobody has answered by `expires_at`. */
  default: AnswerValue.optional(),
  expires_at: TimestampInput.optional(),
});
export type QuestionInput = z.infer<typeof QuestionInput>;

/** A typed question, as shown and as stored. */
export const Question = z.object({
  type: QuestionType,
  options: z.array(z.string()).nullable(),
  default: AnswerValue.nullable(),
  expires_at: Timestamp.nullable(),
});
export type Question = z.infer<typeof Question>;

/**
 * An answer. `value` is null if the words were unclear; with method `default` it is the question's own
 * default.
 */
export const Answer = z.object({
  value: AnswerValue.nullable(),
  raw_text: z.string().nullable(),
  method: z.enum(["reply", "page", "default"]),
});
export type Answer = z.infer<typeof Answer>;

/** What an owner's answer page shows. */
export const QuestionReview = z.object({
  object: z.literal("question_review").default("question_review"),
  update_id: z.string(),
  inbox_email: z.string(),
  inbox_display_name: z.string().nullable(),
  owner_email: z.string(),
  title: z.string().nullable(),
  text: z.string(),
  question: Question,
  /** `open`, or why it can no longer be answered here. */
  state: z.enum(["open", "answered", "expired"]),
  answer: Answer.nullable(),
});
export type QuestionReview = z.infer<typeof QuestionReview>;
