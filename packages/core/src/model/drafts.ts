import { z } from "zod";
import { Attachment, StoredAttachment } from "./attachments.ts";
import { Timestamp } from "./fields.ts";
import { TaskStatus } from "./tasks.ts";

/** What a draft will be: a mail of its own, an answer, or a message passed on. */
export const DraftKind = z.enum(["new", "reply", "reply_all", "forward"]);
export type DraftKind = z.infer<typeof DraftKind>;

/**
 * How far a draft's sending is: not asked for, waiting for its time, handed over and not yet known to have
 * left, or given up.
 */
export const DraftSendStatus = z.enum(["draft", "scheduled", "sending", "failed"]);

/** What became of the newest question to the owners about a draft; null while none was asked. */
export const DraftApprovalStatus = z.enum(["pending", "approved", "rejected", "expired", "cancelled"]);

/** A mail that is not sent yet, as shown (decisions, section 8). */
export const Draft = z.object({
  object: z.literal("draft").default("draft"),
  id: z.string(),
  inbox_id: z.string(),
  thread_id: z.string().nullable(),
  kind: DraftKind,
  to: z.array(z.string()),
  cc: z.array(z.string()),
  bcc: z.array(z.string()),
  reply_to: z.string().nullable(),
  subject: z.string(),
  text: z.string().nullable(),
  text_truncated: z.boolean().optional(),
  html: z.string().nullable(),
  html_truncated: z.boolean().optional(),
  headers: z.record(z.string(), z.string()),
  labels: z.array(z.string()),
  attachments: z.array(Attachment),
  /** The Message-ID that it will answer. */
  in_reply_to: z.string().nullable(),
  /** The message that it passes on. */
  forward_of: z.string().nullable(),
  include_attachments: z.boolean(),
  send_at: Timestamp.nullable(),
  send_status: DraftSendStatus,
  /** Why it could not be sent; null unless send_status is failed. */
  send_error: z.string().nullable(),
  approval_status: DraftApprovalStatus.nullable(),
  approval_id: z.string().nullable(),
  client_id: z.string().nullable(),
  idempotent: z.boolean().default(false),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Draft = z.infer<typeof Draft>;

/** A draft as stored. */
export const DraftRecord = Draft.omit({
  object: true,
  idempotent: true,
  attachments: true,
  text_truncated: true,
  html_truncated: true,
}).extend({
  account_id: z.string(),
  attachments: z.array(StoredAttachment),
  references: z.array(z.string()),
  /** The message that it is being sent as; the draft is kept until that has left. */
  message_id: z.string().nullable(),
  /** A held answer to a task, and the status that the task gets when it is sent. */
  task_id: z.string().nullable(),
  task_status: TaskStatus.nullable(),
});
export type DraftRecord = z.infer<typeof DraftRecord>;
