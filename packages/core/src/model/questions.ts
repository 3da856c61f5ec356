import { z } from "zod";
import { LIMITS } from "../catalogue/limits.ts";
import { Line, Timestamp } from "./fields.ts";
import { TimestampInput } from "./times.ts";

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

/** An answer as a person or their program gives it: `readAnswer` makes a value of the question's type of it. */
export const AnswerInput = z
  .union([z.string().max(LIMITS.answer_chars), z.number(), z.boolean()], { error: "invalid_answer" })
  .describe(
    `The answer: true or false, a number, a day as YYYY-MM-DD, an option or its number, or text; or the words in which a person would say it, such as "yes, please". At most ${LIMITS.answer_chars} characters.`,
  );

/** A typed question as input; `rules.ts` checks that its fields fit together. */
export const QuestionInput = z
  .strictObject({
    type: QuestionType.describe(
      "The type of answer: one of the options, yes or no, a number, a date or free text.",
    ),
    options: z
      .array(Line(LIMITS.update_line_chars).min(1), { error: "invalid_question" })
      .min(2, { error: "invalid_question" })
      .max(LIMITS.question_options, { error: "invalid_question" })
      .optional()
      .describe(`The options to choose from, 2 to ${LIMITS.question_options}; only for \`choice\`.`),
    default: AnswerValue.optional().describe(
      "The answer that counts if nobody has answered by expires_at; of the question's type.",
    ),
    expires_at: TimestampInput.optional().describe(
      "Until when it can be answered, at most 366 days ahead; without it, for good.",
    ),
  })
  .meta({ title: "QuestionInput" });
export type QuestionInput = z.infer<typeof QuestionInput>;

/** A typed question, as shown and as stored. */
export const Question = z
  .object({
    type: QuestionType.describe("The type of answer that it asks for."),
    options: z
      .array(z.string())
      .nullable()
      .describe("The options to choose from; null unless the type is `choice`."),
    default: AnswerValue.nullable().describe(
      "The answer that counts if nobody has answered by expires_at; null without one.",
    ),
    expires_at: Timestamp.nullable().describe("Until when it can be answered; null for good."),
  })
  .meta({ title: "Question" });
export type Question = z.infer<typeof Question>;

/** An answer. `value` is null if the words were unclear; with method `default` it is the question's own default. */
export const Answer = z
  .object({
    value: AnswerValue.nullable().describe(
      "The answer in the question's type: a boolean for yes_no, a date as YYYY-MM-DD; null if the words were unclear.",
    ),
    raw_text: z
      .string()
      .nullable()
      .describe(
        "What the person really wrote or chose, unchanged; null where there are no words: a boolean or number in a call, and the question's default.",
      ),
    method: z
      .enum(["reply", "page", "session", "default"])
      .describe(
        "How it was given: by a reply to the letter, on the answer page, by a call in a signed-in session, or as the question's default.",
      ),
  })
  .meta({ title: "Answer", description: "An owner's answer to a question." });
export type Answer = z.infer<typeof Answer>;

/** The content of an owner's answer page. */
export const QuestionReview = z.object({
  object: z.literal("question_review").default("question_review"),
  update_id: z.string().describe("The update that asks the question."),
  inbox_email: z.string().describe("The agent's address."),
  inbox_display_name: z.string().nullable().describe("The agent's name; null without one."),
  owner_email: z.string().describe("The address of the owner who is asked."),
  title: z.string().nullable().describe("The update's title; null without one."),
  text: z.string().describe("The update's text."),
  question: Question.describe("What is asked."),
  state: z
    .enum(["open", "answered", "expired"])
    .describe("`open`, or why it can no longer be answered here."),
  answer: Answer.nullable().describe("The answer that counts; null until there is one."),
});
export type QuestionReview = z.infer<typeof QuestionReview>;
