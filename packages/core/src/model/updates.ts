import { z } from "zod";
import { IdInput } from "../catalogue/ids.ts";
import { LIMITS } from "../catalogue/limits.ts";
import { ClientId, Line, Timestamp } from "./fields.ts";
import { Answer, Question, QuestionInput } from "./questions.ts";

/** What an update is about. */
export const UpdateKind = z.enum(["progress", "needs_input", "done", "error"]);

/** A link in an update; https only. */
export const UpdateLink = z.strictObject({
  label: z.string().min(1).max(200),
  url: z
    .string()
    .max(2048)
    .refine((text) => URL.canParse(text) && new URL(text).protocol === "https:", { error: "invalid_link" }),
});

/** A report as input (interface, "Update note"). */
export const ReportInput = z.object({
  inbox_id: IdInput,
  kind: UpdateKind,
  text: z
    .string()
    .max(LIMITS.update_text_chars)
    .refine((text) => text.trim() !== "", { error: "missing_body" }),
  title: Line(LIMITS.update_line_chars).min(1).optional(),
  status: Line(LIMITS.update_line_chars).min(1).optional(),
  task_id: Line(LIMITS.update_line_chars).min(1).optional(),
  links: z.array(UpdateLink).max(LIMITS.update_links).default([]),
  question: QuestionInput.optional(),
  client_id: ClientId.optional(),
});

/** The delivery of an update to one owner. */
export const UpdateDelivery = z.object({
  object: z.literal("update_delivery").default("update_delivery"),
  id: z.string(),
  owner_id: z.string(),
  email: z.string(),
  mode: z.enum(["immediate", "digest"]),
  status: z.enum(["sent", "queued", "skipped", "failed"]),
  reason: z.string().nullable(),
  message_id: z.string().nullable(),
});

/** A report to the owners, as shown (decisions, section 7). */
export const Update = z.object({
  object: z.literal("update").default("update"),
  id: z.string(),
  inbox_id: z.string(),
  task_id: z.string().nullable(),
  kind: UpdateKind,
  title: z.string().nullable(),
  status: z.string().nullable(),
  text: z.string(),
  links: z.array(UpdateLink),
  question: Question.nullable(),
  /** The first clear answer to the question, and who gave it. */
  answer: Answer.extend({ owner_id: z.string().nullable() }).nullable(),
  answered_at: Timestamp.nullable(),
  client_id: z.string().nullable(),
  idempotent: z.boolean().default(false),
  created_at: Timestamp,
  deliveries: z.array(UpdateDelivery),
});
export type Update = z.infer<typeof Update>;

/** An update as stored. */
export const UpdateRecord = Update.omit({ object: true, idempotent: true, deliveries: true }).extend({
  account_id: z.string(),
});
export type UpdateRecord = z.infer<typeof UpdateRecord>;

/** The delivery of an update to one owner, as stored. */
export const UpdateDeliveryRecord = UpdateDelivery.omit({ object: true }).extend({
  update_id: z.string(),
  account_id: z.string(),
  inbox_id: z.string(),
  created_at: Timestamp,
});
export type UpdateDeliveryRecord = z.infer<typeof UpdateDeliveryRecord>;

/** Which mail thread has the updates of one task_id for one owner. */
export const UpdateThreadRecord = z.object({
  inbox_id: z.string(),
  task_id: z.string(),
  owner_id: z.string(),
  thread_id: z.string(),
  /** The latest letter of the thread, which the next one replies to. */
  last_message_id: z.string(),
  subject: z.string(),
});
export type UpdateThreadRecord = z.infer<typeof UpdateThreadRecord>;

/** An update contained in a letter to an owner; a digest has many. */
export const UpdateLetterRecord = z.object({
  message_id: z.string(),
  update_id: z.string(),
  inbox_id: z.string(),
  owner_id: z.string(),
  /** The token hash for the answer page of the update's question; null without one. */
  token_hash: z.string().nullable(),
  /** This is the second letter, sent because the first answer was unclear. There is no third. */
  again: z.boolean(),
});
export type UpdateLetterRecord = z.infer<typeof UpdateLetterRecord>;
