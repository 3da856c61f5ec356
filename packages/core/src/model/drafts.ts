import { z } from "zod";
import { Attachment, StoredAttachment } from "./attachments.ts";
import { Timestamp } from "./fields.ts";
import { CallMode } from "./message-facts.ts";
import { TaskStatus } from "./tasks.ts";
import { TrashFields } from "./trash.ts";

/** The form that a draft will be sent in: a new mail, a reply, a forward, a text message or a call. */
export const DraftKind = z.enum(["new", "reply", "reply_all", "forward", "sms", "call"]);
export type DraftKind = z.infer<typeof DraftKind>;

/** The send status of a draft: not sent, scheduled, handed over but not yet known to be sent, or failed. */
export const DraftSendStatus = z.enum(["draft", "scheduled", "sending", "failed"]);

/** The status of the latest approval request for a draft; null if there was none. */
export const DraftApprovalStatus = z.enum(["pending", "approved", "rejected", "expired", "cancelled"]);

/**
 * The parts of a mail's HTML that were removed or changed before an owner was asked: comments, scripts, style sheets,
 * hidden elements, images that aren't attached, frames and other media, forms, targets of links, styles, elements,
 * attributes or characters that could hide or move words; and the text part, if it was replaced by one made from the
 * HTML.
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

/** A mail that is not sent yet, as shown. */
export const Draft = z.object({
  object: z.literal("draft").default("draft"),
  id: z.string().describe("The draft's id."),
  inbox_id: z.string().describe("The inbox that it will be sent from."),
  thread_id: z.string().nullable().describe("The thread that it belongs to; null if it begins a new one."),
  kind: DraftKind.describe(
    "What it will become: a new mail, a reply, a reply to all, a forward, a text message or a call.",
  ),
  to: z.array(z.string()).describe("The addresses in To."),
  cc: z.array(z.string()).describe("The addresses in Cc."),
  bcc: z.array(z.string()).describe("The addresses in Bcc, which the other recipients don't see."),
  to_names: z
    .array(z.string().nullable())
    .describe("The display names of the addresses in To, in the same order; null where there is none."),
  cc_names: z.array(z.string().nullable()).describe("The same for Cc."),
  bcc_names: z.array(z.string().nullable()).describe("The same for Bcc."),
  reply_to: z.string().nullable().describe("Where replies are to go; null for the inbox's own address."),
  subject: z.string().describe("The subject line."),
  text: z.string().nullable().describe("The text part; null without one."),
  text_truncated: z
    .boolean()
    .optional()
    .describe("True where a list shows only the beginning of the text; otherwise absent."),
  html: z.string().nullable().describe("The HTML part; null without one."),
  html_truncated: z
    .boolean()
    .optional()
    .describe("True where a list shows only the beginning of the HTML; otherwise absent."),
  html_changed: z
    .boolean()
    .default(false)
    .describe("Whether the HTML was cleaned for an owner's approval, and not only rewritten."),
  html_changes: z
    .array(HtmlChange)
    .default([])
    .describe("What the cleaning took out of the HTML or changed in it."),
  headers: z.record(z.string(), z.string()).describe("The X-* headers that it carries."),
  labels: z.array(z.string()).describe("The caller's labels, which the message gets when it is sent."),
  attachments: z.array(Attachment).describe("The attached files."),
  in_reply_to: z.string().nullable().describe("The Message-ID that it replies to; null if it is no reply."),
  forward_of: z
    .string()
    .nullable()
    .describe("The id of the message that it forwards; null if it is no forward."),
  include_attachments: z.boolean().describe("Whether a forward takes the attachments of the original along."),
  send_at: Timestamp.nullable().describe("When it is to be sent; null if it isn't scheduled."),
  send_status: DraftSendStatus.describe(
    "How far sending is: not sent, scheduled, handed over but not yet known to be sent, or failed.",
  ),
  send_error: z.string().nullable().describe("Why sending failed; null unless send_status is `failed`."),
  approval_status: DraftApprovalStatus.nullable().describe(
    "The status of the latest request for approval; null if there was none.",
  ),
  approval_id: z.string().nullable().describe("The id of that approval; null if there was none."),
  call_mode: CallMode.nullable().describe("What a call does; null on all others."),
  client_id: z.string().nullable().describe("The caller's own id for it; null without one."),
  idempotent: z
    .boolean()
    .default(false)
    .describe("Whether this answer repeats an earlier call with the same client_id."),
  created_at: Timestamp.describe("When it was created (ISO 8601, UTC)."),
  updated_at: Timestamp.describe("When it last changed (ISO 8601, UTC)."),
  ...TrashFields,
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
  to_names: true,
  cc_names: true,
  bcc_names: true,
  restorable_until: true,
  deleted_by: true,
}).extend({
  names: z
    .record(z.string(), z.string())
    .describe("Display names by address: of the recipients and of reply_to."),
  account_id: z.string().describe("The account that it belongs to."),
  html_changes: z.array(HtmlChange).describe("What the cleaning took out of the HTML or changed in it."),
  attachments: z.array(StoredAttachment).describe("The attached files, by the hash of their bytes."),
  references: z.array(z.string()).describe("The Message-IDs of the conversation before it, oldest first."),
  message_id: z
    .string()
    .nullable()
    .describe("The message that it is being sent as; the draft is kept until that is sent."),
  asked_by_key_id: z
    .string()
    .nullable()
    .describe("The key that asked for it as it is now, whose budget counts when it leaves; null for people."),
  task_id: z.string().nullable().describe("For a held task reply: the task that it answers; null otherwise."),
  task_status: TaskStatus.nullable().describe(
    "The status that this task gets when the reply is sent; null for none.",
  ),
});
export type DraftRecord = z.infer<typeof DraftRecord>;
