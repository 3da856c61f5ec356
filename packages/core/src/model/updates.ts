import { z } from "zod";
import { InboxId } from "../catalogue/id-inputs.ts";
import { LIMITS } from "../catalogue/limits.ts";
import { ClientId, Line, Timestamp } from "./fields.ts";
import { Answer, Question, QuestionInput } from "./questions.ts";

/** The subject of an update. */
export const UpdateKind = z.enum(["progress", "needs_input", "done", "error"]);

/** A link in an update; https only. */
export const UpdateLink = z
  .strictObject({
    label: z.string().min(1).max(200).describe("The words of the link, 1 to 200 characters."),
    url: z
      .string()
      .max(2048)
      .refine((text) => URL.canParse(text) && new URL(text).protocol === "https:", { error: "invalid_link" })
      .describe("Where it leads: an https address of at most 2,048 characters."),
  })
  .meta({ title: "UpdateLink" });

/** A report as input (interface, "Update note"). */
export const ReportInput = z.object({
  inbox_id: InboxId,
  kind: UpdateKind.describe("What the update is about: progress, a need for input, a result or an error."),
  text: z
    .string()
    .max(LIMITS.update_text_chars)
    .refine((text) => text.trim() !== "", { error: "missing_body" })
    .describe(`What happened, in a short sentence; at most ${LIMITS.update_text_chars} characters.`),
  title: Line(LIMITS.update_line_chars)
    .min(1)
    .optional()
    .describe(
      `A plain phrase of 5 to 8 words; the concise email shows only this. At most ${LIMITS.update_line_chars} characters.`,
    ),
  status: Line(LIMITS.update_line_chars)
    .min(1)
    .optional()
    .describe(`Where the work stands, in a few words; at most ${LIMITS.update_line_chars} characters.`),
  task_id: Line(LIMITS.update_line_chars)
    .min(1)
    .optional()
    .describe(
      `What it belongs to: updates with the same task_id stay in one mail thread. At most ${LIMITS.update_line_chars} characters.`,
    ),
  links: z
    .array(UpdateLink)
    .max(LIMITS.update_links)
    .default([])
    .describe(`Links to show, at most ${LIMITS.update_links}.`),
  question: QuestionInput.optional().describe(
    "A typed question; the owner answers by mail or on a page, and the answer comes as a task.",
  ),
  client_id: ClientId.optional(),
});

/** The delivery of an update to one owner. */
export const UpdateDelivery = z.object({
  object: z.literal("update_delivery").default("update_delivery"),
  id: z.string().describe("The delivery's id."),
  owner_id: z.string().describe("The owner it goes to."),
  email: z.string().describe("That owner's address."),
  mode: z.enum(["immediate", "digest"]).describe("Whether it goes out at once or in the daily digest."),
  status: z
    .enum(["sent", "queued", "skipped", "failed"])
    .describe("How far it is: sent, queued for the digest, skipped, or failed."),
  reason: z.string().nullable().describe("Why it was skipped or failed; null otherwise."),
  message_id: z.string().nullable().describe("The letter that it was sent in; null until then."),
});
export type UpdateDelivery = z.infer<typeof UpdateDelivery>;

/** A report to the owners, as shown. */
export const Update = z.object({
  object: z.literal("update").default("update"),
  id: z.string().describe("The update's id."),
  inbox_id: z.string().describe("The inbox that reports."),
  task_id: z
    .string()
    .nullable()
    .describe("What it belongs to: updates with the same task_id stay in one mail thread; null without one."),
  kind: UpdateKind.describe("What it is about."),
  title: z.string().nullable().describe("Its title; null without one."),
  status: z.string().nullable().describe("Where the work stands; null if not said."),
  text: z.string().describe("What happened."),
  links: z.array(UpdateLink).describe("The links that it shows."),
  question: Question.nullable().describe("The question that it asks; null if it asks none."),
  answer: Answer.extend({
    owner_id: z.string().nullable().describe("The owner who answered; null if it is the question's default."),
  })
    .nullable()
    .describe("The first clear answer to the question, and who gave it; null until then."),
  answered_at: Timestamp.nullable().describe("When it was answered; null until then."),
  client_id: z.string().nullable().describe("The caller's own id for it; null without one."),
  idempotent: z
    .boolean()
    .default(false)
    .describe("Whether this answer repeats an earlier call with the same client_id."),
  created_at: Timestamp.describe("When it was sent (ISO 8601, UTC)."),
  deliveries: z.array(UpdateDelivery).describe("What became of it for each owner."),
});
export type Update = z.infer<typeof Update>;

/** An update as stored. */
export const UpdateRecord = Update.omit({ object: true, idempotent: true, deliveries: true }).extend({
  account_id: z.string().describe("The account that it belongs to."),
  waiting_id: z
    .string()
    .nullable()
    .describe("The update's own id while its question waits for an answer; null otherwise."),
});
export type UpdateRecord = z.infer<typeof UpdateRecord>;

/** The delivery of an update to one owner, as stored. */
export const UpdateDeliveryRecord = UpdateDelivery.omit({ object: true }).extend({
  update_id: z.string().describe("The update that is delivered."),
  account_id: z.string().describe("The account that it belongs to."),
  inbox_id: z.string().describe("The inbox that reports."),
  created_at: Timestamp.describe("When the update was made (ISO 8601, UTC)."),
});
export type UpdateDeliveryRecord = z.infer<typeof UpdateDeliveryRecord>;

/** The mail thread with the updates of one task_id for one owner. */
export const UpdateThreadRecord = z.object({
  inbox_id: z.string().describe("The inbox that reports."),
  task_id: z.string().describe("The `task_id` of the updates."),
  owner_id: z.string().describe("The owner who gets them."),
  thread_id: z.string().describe("The mail thread that has them."),
  last_message_id: z.string().describe("The latest letter of the thread, which the next one replies to."),
  subject: z.string().describe("The subject of the thread's letters."),
});
export type UpdateThreadRecord = z.infer<typeof UpdateThreadRecord>;

/** An update contained in a letter to an owner; a digest has many. */
export const UpdateLetterRecord = z.object({
  number: z.int().nullable().describe("The number of its question in the letter; null where it needs none."),
  message_id: z.string().describe("The stored letter."),
  update_id: z.string().describe("The update that it contains."),
  inbox_id: z.string().describe("The inbox that reports."),
  owner_id: z.string().describe("The owner who gets it."),
  token_hash: z
    .string()
    .nullable()
    .describe("The token hash for the answer page of the update's question; null without one."),
  again: z
    .boolean()
    .describe(
      "Whether it is the second letter, sent because the first answer was unclear; there is no third.",
    ),
  whole: z.boolean().describe("Whether it shows all that the update says, so that a reply to it may answer."),
});
export type UpdateLetterRecord = z.infer<typeof UpdateLetterRecord>;
