import { z } from "zod";
import { LIMITS } from "../catalogue/limits.ts";
import { Attachment } from "./attachments.ts";
import { HtmlChange } from "./drafts.ts";
import { Timestamp } from "./fields.ts";

/** What waits for an owner: a mail, or a change that would take control away from the owners. */
export const ApprovalSubject = z.enum([
  "draft",
  "inbox_delete",
  "send_mode_change",
  "owner_add",
  "owner_delete",
  "authority_grant",
]);
export type ApprovalSubject = z.infer<typeof ApprovalSubject>;

/** The status of an approval. */
export const ApprovalStatus = z.enum(["pending", "approved", "rejected", "expired", "cancelled"]);
export type ApprovalStatus = z.infer<typeof ApprovalStatus>;

/** An action that waits for an owner's decision, as shown (decisions, section 8). */
export const Approval = z.object({
  object: z.literal("approval").default("approval"),
  id: z.string(),
  inbox_id: z.string(),
  subject_type: ApprovalSubject,
  /** The draft, inbox or owner that it is about. */
  subject_id: z.string(),
  /** SHA-256 of everything to be approved: for a mail, every header, body and attachment. */
  digest: z.string(),
  summary: z.string(),
  /** The mail's HTML was cleaned before this was asked, and not only rewritten: see `html_changes`. */
  html_changed: z.boolean().default(false),
  html_changes: z.array(HtmlChange).default([]),
  status: ApprovalStatus,
  requested_at: Timestamp,
  expires_at: Timestamp,
  decided_at: Timestamp.nullable(),
  decided_by: z
    .object({
      /** The owner record of the person who decided, if the inbox has one. */
      owner_id: z.string().nullable(),
      email: z.string(),
      /** The button of a page, a call, or a reply to the letter. */
      method: z.enum(["page", "session", "reply"]),
    })
    .nullable(),
  comment: z.string().nullable(),
});
export type Approval = z.infer<typeof Approval>;

/** An approval as stored. */
export const ApprovalRecord = Approval.omit({ object: true }).extend({
  html_changed: z.boolean(),
  html_changes: z.array(HtmlChange),
  account_id: z.string(),
  /** What to do once it is approved, if the subject doesn't say. */
  change: z.record(z.string(), z.string()),
});
export type ApprovalRecord = z.infer<typeof ApprovalRecord>;

/** A letter that asks one owner. Anyone with its token, or a reply from that owner, decides. */
export const ApprovalLetterRecord = z.object({
  /** The stored letter. */
  message_id: z.string(),
  approval_id: z.string(),
  inbox_id: z.string(),
  /** Null for a person with authority who is no owner of the inbox. */
  owner_id: z.string().nullable(),
  /** Whom it was sent to. */
  email: z.string(),
  token_hash: z.string(),
  /** This is the second letter, sent because the first answer was unclear. There is no third. */
  again: z.boolean(),
  /** It shows everything that is to be approved, so a reply to it may decide. */
  whole: z.boolean(),
});
export type ApprovalLetterRecord = z.infer<typeof ApprovalLetterRecord>;

/** What an owner decides. */
export const Verdict = z.enum(["approve", "reject"]);
export type Verdict = z.infer<typeof Verdict>;

/** A comment on a decision. */
export const Comment = z.string().max(LIMITS.approval_comment_chars);

/** What the owner's page shows: the whole mail to be sent, or the change. */
export const ApprovalReview = z.object({
  object: z.literal("approval_review").default("approval_review"),
  approval: Approval,
  inbox_email: z.string(),
  inbox_display_name: z.string().nullable(),
  owner_email: z.string(),
  account_id: z.string(),
  /** Whether this person decides. Another verified owner may read it, and ask for authority. */
  decides: z.boolean(),
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
      /** The html as text. */
      html_text: z.string().nullable(),
      /** The html was cleaned before the owner was asked, so a sandboxed frame may render it. */
      html_renders: z.boolean(),
      /** A body was longer than a page can show and was cut. */
      truncated: z.boolean(),
      send_at: Timestamp.nullable(),
      attachments: z.array(
        Attachment.pick({ id: true, filename: true, content_type: true, size_bytes: true }),
      ),
    })
    .nullable(),
});
export type ApprovalReview = z.infer<typeof ApprovalReview>;
