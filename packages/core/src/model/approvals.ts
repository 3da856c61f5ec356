import { z } from "zod";
import { limits } from "../catalogue/limits.ts";
import { Attachment } from "./attachments.ts";
import { Timestamp } from "./fields.ts";

/** What waits for an owner: a mail, or a change that would take the owner's say away. */
export const ApprovalSubject = z.enum([
  "draft",
  "inbox_delete",
  "send_mode_change",
  "owner_add",
  "owner_delete",
]);
export type ApprovalSubject = z.infer<typeof ApprovalSubject>;

/** How far a question to the owners is. */
export const ApprovalStatus = z.enum(["pending", "approved", "rejected", "expired", "cancelled"]);
export type ApprovalStatus = z.infer<typeof ApprovalStatus>;

/** An act that waits for an owner's decision, as shown (decisions, section 8). */
export const Approval = z.object({
  object: z.literal("approval").default("approval"),
  id: z.string(),
  inbox_id: z.string(),
  subject_type: ApprovalSubject,
  /** The draft, the inbox or the owner that it is about. */
  subject_id: z.string(),
  /** SHA-256 of all that is asked for: of a mail every header, body and attachment. */
  digest: z.string(),
  summary: z.string(),
  status: ApprovalStatus,
  requested_at: Timestamp,
  expires_at: Timestamp,
  decided_at: Timestamp.nullable(),
  decided_by: z.object({ owner_id: z.string(), method: z.enum(["page", "reply"]) }).nullable(),
  comment: z.string().nullable(),
});
export type Approval = z.infer<typeof Approval>;

/** An approval as stored. */
export const ApprovalRecord = Approval.omit({ object: true }).extend({
  account_id: z.string(),
  /** What is done once it is approved, where the subject doesn't say it. */
  change: z.record(z.string(), z.string()),
});
export type ApprovalRecord = z.infer<typeof ApprovalRecord>;

/** A letter that asks one owner; whoever holds its token, or answers it as that owner, decides. */
export const ApprovalLetterRecord = z.object({
  /** The stored letter. */
  message_id: z.string(),
  approval_id: z.string(),
  inbox_id: z.string(),
  owner_id: z.string(),
  token_hash: z.string(),
  /** It is the second letter, sent because the first answer was unclear: there is no third. */
  again: z.boolean(),
});
export type ApprovalLetterRecord = z.infer<typeof ApprovalLetterRecord>;

/** What an owner decides. */
export const Verdict = z.enum(["approve", "reject"]);
export type Verdict = z.infer<typeof Verdict>;

/** A word to go with a decision. */
export const Comment = z.string().max(limits.approval_comment_chars);

/** What the owner's page shows: the whole mail that would leave, or the change. */
export const ApprovalReview = z.object({
  object: z.literal("approval_review").default("approval_review"),
  approval: Approval,
  inbox_email: z.string(),
  inbox_display_name: z.string().nullable(),
  owner_email: z.string(),
  /** Null when it is not about a mail, or the mail is gone. */
  mail: z
    .object({
      from: z.string(),
      to: z.array(z.string()),
      cc: z.array(z.string()),
      bcc: z.array(z.string()),
      reply_to: z.string().nullable(),
      subject: z.string(),
      headers: z.record(z.string(), z.string()),
      text: z.string().nullable(),
      html: z.string().nullable(),
      /** What the html says, as text. */
      html_text: z.string().nullable(),
      /** A body is longer than a page can show, and was cut. */
      truncated: z.boolean(),
      send_at: Timestamp.nullable(),
      attachments: z.array(
        Attachment.pick({ id: true, filename: true, content_type: true, size_bytes: true }),
      ),
    })
    .nullable(),
});
export type ApprovalReview = z.infer<typeof ApprovalReview>;
