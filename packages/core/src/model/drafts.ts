import { z } from "zod";
import { Attachment, StoredAttachment } from "./attachments.ts";
import { Timestamp } from "./fields.ts";
import { TaskStatus } from "./tasks.ts";

/** What a draft will become: a new mail, a reply or a forward. */
export const DraftKind = z.enum(["new", "reply", "reply_all", "forward"]);
export type DraftKind = z.infer<typeof DraftKind>;

/** The send status of a draft: not sent, scheduled, handed over but not yet known to be sent, or failed. */
export const DraftSendStatus = z.enum(["draft", "scheduled", "sending", "failed"]);

/** The status of the latest approval request for a draft; null if there was none. */
export const DraftApprovalStatus = z.enum(["pending", "approved", "rejected", "expired", "cancelled"]);

/**
 * What was taken out of a mail's HTML, or changed in it, before an owner was asked: comments, scripts, style
 * sheets, hidden elements, images that aren't attached, frames and other media, forms, targets of links,
 * styles, elements, attributes or characters that could hide or move words; and the text part, if it was
 * replaced by one made from the HTML.
 */
export const HtmlChange = z.enum([
  "attributes",
  "characters",
  "comments",
  "elements",
  "forms",
  "hidden_elements",
  "images",
  "links",
  "media",
  "scripts",
  "style_sheets",
  "styles",
  "text",
]);
export type HtmlChange = z.infer<typeof HtmlChange>;

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
  /** The HTML was cleaned for an owner's approval, and not only rewritten: see `html_changes`. */
  html_changed: z.boolean().default(false),
  html_changes: z.array(HtmlChange).default([]),
  headers: z.record(z.string(), z.string()),
  labels: z.array(z.string()),
  attachments: z.array(Attachment),
  /** The Message-ID that it replies to. */
  in_reply_to: z.string().nullable(),
  /** The message that it forwards. */
  forward_of: z.string().nullable(),
  include_attachments: z.boolean(),
  send_at: Timestamp.nullable(),
  send_status: DraftSendStatus,
  /** Why sending failed; null unless send_status is failed. */
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
  html_changed: true,
}).extend({
  account_id: z.string(),
  html_changes: z.array(HtmlChange),
  attachments: z.array(StoredAttachment),
  references: z.array(z.string()),
  /** The message that it is being sent as; the draft is kept until that is sent. */
  message_id: z.string().nullable(),
  /** For a held task reply: the task, and the status it gets when the reply is sent. */
  task_id: z.string().nullable(),
  task_status: TaskStatus.nullable(),
});
export type DraftRecord = z.infer<typeof DraftRecord>;
