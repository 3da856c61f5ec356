import { z } from "zod";
import { LIMITS } from "../catalogue/limits.ts";
import { Attachment } from "./attachments.ts";
import { DraftKind, HtmlChange } from "./drafts.ts";
import { Timestamp } from "./fields.ts";
import { OwnerCopy } from "./inboxes.ts";
import { CallMode } from "./message-facts.ts";
import { ApproveWith } from "./outbound.ts";

/** The subject of an approval: a mail, or a change that would take control away from the owners. */
export const ApprovalSubject = z.enum([
  "draft",
  "inbox_delete",
  "send_mode_change",
  "outbound_change",
  "owner_add",
  "owner_delete",
  "authority_grant",
  "account_delete",
  "message_release",
  "webhook_change",
  "forwarding_add",
]);
export type ApprovalSubject = z.infer<typeof ApprovalSubject>;

/** The status of an approval. */
export const ApprovalStatus = z.enum(["pending", "approved", "rejected", "expired", "cancelled"]);
export type ApprovalStatus = z.infer<typeof ApprovalStatus>;

/** Why the owners are asked, as shown. */
export const Reason = z
  .object({
    code: z.string().describe("The kind of reason; there may be further ones."),
    detail: z
      .string()
      .nullable()
      .describe(
        "What it is about, in a few words: an address, a file, or a kind of data and its place. Null where there is nothing to add, and for callers who may not read the mail that it comes from.",
      ),
    sentence: z.string().describe("The same in plain words for people, a sentence or two on one line."),
    message_id: z.string().optional().describe("The message that it comes from; absent like the detail."),
  })
  .meta({ title: "Reason" });
export type Reason = z.infer<typeof Reason>;

/** A reason as stored. */
export const ReasonRecord = Reason.omit({ sentence: true }).extend({
  inbox_id: z
    .string()
    .optional()
    .describe("The inbox of the mail that the detail comes from, if it isn't the approval's own."),
});
export type ReasonRecord = z.infer<typeof ReasonRecord>;

/** The difference in one part of a mail between two versions of it. */
export const VersionChange = z
  .object({
    field: z
      .enum(["to", "cc", "bcc", "subject", "text", "html", "attachments"])
      .describe("The part of the mail that differs."),
    before: z.string().nullable().describe("What it was, lists one entry a line; null for nothing."),
    after: z.string().nullable().describe("What it became, in the same form; null for nothing."),
  })
  .meta({ title: "VersionChange" });
export type VersionChange = z.infer<typeof VersionChange>;

const Version = z
  .object({
    digest: z.string().describe("The digest of that version."),
    by: z.string().nullable().describe("The address of the person who made it; null for the agent."),
    at: Timestamp.describe("When it was made."),
  })
  .meta({ title: "ApprovalVersion" });

/** An action that waits for an owner's decision, as shown. */
export const Approval = z.object({
  object: z.literal("approval").default("approval"),
  id: z.string().describe("The approval's id."),
  inbox_id: z.string().describe("The inbox that it is about, or from which it was asked."),
  subject_type: ApprovalSubject.describe(
    "What waits for the decision: a mail (`draft`), or a change that would take control away from the owners.",
  ),
  subject_id: z.string().describe("The id of the draft, inbox, owner or account that it is about."),
  digest: z
    .string()
    .describe(
      "`sha-256:` and, in hex, the SHA-256 of everything to be approved, in its canonical form: for a mail its headers, bodies and attachments. Whoever decides says it back.",
    ),
  summary: z.string().describe("What is to be approved, in one sentence."),
  reasons: z
    .array(Reason)
    .default([])
    .describe("Why the owners are asked, most important first; empty where they always are."),
  html_changed: z
    .boolean()
    .default(false)
    .describe("Whether the mail's HTML was cleaned before the owner was asked, and not only rewritten."),
  html_changes: z
    .array(HtmlChange)
    .default([])
    .describe("What the cleaning took out of the HTML or changed in it."),
  status: ApprovalStatus.describe("Where it stands; only `pending` can still be decided."),
  requested_at: Timestamp.describe("When the owners were asked (ISO 8601, UTC)."),
  expires_at: Timestamp.describe("When it expires unless somebody decides: 72 hours after it was requested."),
  decided_at: Timestamp.nullable().describe("When it stopped being pending; null until then."),
  decided_by: z
    .object({
      owner_id: z
        .string()
        .nullable()
        .describe("The owner record of the person who decided, if the inbox has one."),
      email: z.string().describe("The address of the person who decided."),
      method: z
        .enum(["page", "session", "reply", "passkey"])
        .describe(
          "How: on the page of a letter, in a signed-in session, by a reply to the letter, or with a passkey.",
        ),
    })
    .meta({ title: "ApprovalDecider" })
    .nullable()
    .describe("Who decided; null while it is pending, and when it expired or was cancelled."),
  comment: z.string().nullable().describe("What the person added to the decision; null if nothing."),
  edited: z
    .boolean()
    .default(false)
    .describe("Whether the person who approved it changed it: then the digest is of what they approved."),
  versions: z
    .array(Version)
    .default([])
    .describe("The versions of an edited mail, oldest first: what was asked, and what was approved."),
  imported: z
    .boolean()
    .default(false)
    .describe(
      "Whether it came with an import: then it tells what was decided elsewhere, and allows nothing.",
    ),
});
export type Approval = z.infer<typeof Approval>;

/** An approval as stored. */
export const ApprovalRecord = Approval.omit({ object: true }).extend({
  html_changed: z.boolean().describe("Whether the mail's HTML was cleaned, and not only rewritten."),
  html_changes: z.array(HtmlChange).describe("What the cleaning took out of the HTML or changed in it."),
  imported: z.boolean().describe("Whether it came with an import, so that it allows nothing."),
  reasons: z.array(ReasonRecord).describe("Why the owners are asked."),
  edited: z.boolean().describe("Whether the person who approved it changed it."),
  versions: z.array(Version).describe("The versions of an edited mail, oldest first."),
  account_id: z.string().describe("The account that it belongs to."),
  asked_by: z
    .object({ key_id: z.string().nullable(), client_id: z.string().nullable() })
    .nullable()
    .describe("The key or app that asked; null for a person, and for what was asked before this was kept."),
  change: z
    .record(z.string(), z.string())
    .describe("What to do once it is approved, if the subject doesn't say."),
});
export type ApprovalRecord = z.infer<typeof ApprovalRecord>;

/** A version of a mail that somebody was asked to approve, or approved. */
export const ApprovalVersionRecord = z.object({
  approval_id: z.string().describe("The approval that it was asked or decided by."),
  number: z.int().describe("Its place among the approval's versions, from 1."),
  digest: z.string().describe("The digest of its content."),
  by: z.string().nullable().describe("The person who made it; null for the agent."),
  at: Timestamp.describe("When it was made."),
  content: z.string().describe("Everything that is approved, as JSON in its canonical form."),
});
export type ApprovalVersionRecord = z.infer<typeof ApprovalVersionRecord>;

/** A letter that asks one owner. Anyone with its token, or a reply from that owner, decides. */
export const ApprovalLetterRecord = z.object({
  message_id: z.string().describe("The stored letter."),
  approval_id: z.string().describe("The approval that it asks for."),
  inbox_id: z.string().describe("The inbox that it is about."),
  owner_id: z
    .string()
    .nullable()
    .describe("The owner who is asked; null for a person with authority who is no owner of the inbox."),
  email: z.string().describe("Whom it was sent to."),
  token_hash: z.string().describe("SHA-256 of the token of its link."),
  again: z
    .boolean()
    .describe(
      "Whether it is the second letter, sent because the first answer was unclear; there is no third.",
    ),
  whole: z
    .boolean()
    .describe("Whether it shows everything that is to be approved, so that a reply to it may decide."),
});
export type ApprovalLetterRecord = z.infer<typeof ApprovalLetterRecord>;

/** An owner's decision. */
export const Verdict = z.enum(["approve", "reject"]);
export type Verdict = z.infer<typeof Verdict>;

/** A comment on a decision. */
export const Comment = z.string().max(LIMITS.approval_comment_chars);

/** A held mail as a person with authority sees it, before it is released. */
const HeldMail = z.object({
  from: z.string().describe("The author's address; empty without one."),
  from_name: z.string().nullable().describe("The author's display name; null without one."),
  to: z.array(z.string()).describe("The addresses in To."),
  subject: z.string().describe("The subject line."),
  created_at: Timestamp.describe("When it came (ISO 8601, UTC)."),
  text: z.string().nullable().describe("The text part, with its links as hosts; null without one."),
  html_text: z
    .string()
    .nullable()
    .describe("The HTML part as plain text, with its links as hosts; null without one."),
  truncated: z.boolean().describe("Whether a part was longer than a page can show and was cut."),
  score: z.int().nullable().describe("How suspicious it is, from 0 to 100; null if it was not screened."),
  signals: z.array(z.string()).describe("What screening noticed, a sentence each."),
  attachments: z
    .array(Attachment.pick({ filename: true, content_type: true, size_bytes: true }))
    .describe("The attached files."),
  reason: z.string().nullable().describe("Why the agent asks, in its own words; null if it didn't say."),
});
export type HeldMail = z.infer<typeof HeldMail>;

/** The content of the owner's page: the whole mail to be sent, or the change. */
export const ApprovalReview = z.object({
  object: z.literal("approval_review").default("approval_review"),
  approval: Approval.describe("The approval, with the digest to decide it by."),
  reasons: z
    .array(z.string())
    .describe("The approval's reasons in plain words, a sentence or two each, in the same order."),
  versions: z
    .array(
      Version.extend({
        approval_id: z.string().describe("The approval by which it was asked."),
        changes: z
          .array(VersionChange)
          .describe("What differs from the version before it; empty in the first."),
      }),
    )
    .describe("The versions of a mail that people were asked about, oldest first, at most the newest 20."),
  inbox_email: z.string().describe("The agent's address."),
  inbox_display_name: z.string().nullable().describe("The agent's name; null without one."),
  owner_email: z.string().describe("The address of the person who is asked."),
  account_id: z.string().describe("The account that the inbox belongs to."),
  approve_with: ApproveWith.describe("What approving takes: the person's session, or a passkey that counts."),
  has_passkey: z.boolean().describe("Whether this person decides and has a passkey that counts here."),
  decides: z
    .boolean()
    .describe(
      "Whether this person's decision counts; another verified owner may read it, and ask for authority.",
    ),
  held: HeldMail.nullable().describe(
    "The held mail that is to be released, for a person with authority in their session; null otherwise.",
  ),
  webhook: z
    .object({
      url: z.string().describe("Where events would be posted."),
      host: z.string().describe("The host of that address, in the form that people read."),
      headers: z.array(z.string()).describe("The names of the headers that would go along."),
      inboxes: z
        .array(z.string())
        .describe("The addresses of the inboxes whose events it would get; empty for all."),
      is_new: z.boolean().describe("Whether it is a new webhook, and not a change of one."),
    })
    .nullable()
    .describe("The webhook that is to be made or changed; null if it is about something else."),
  mail: z
    .object({
      kind: DraftKind.describe("What it will become: a mail of some kind, a text message or a call."),
      call_mode: CallMode.nullable().describe("What a call does; null on all others."),
      from: z.string().describe("The sender's address; of a text or call the number, empty without one."),
      to: z.array(z.string()).describe("The addresses in To; of a text or call the number."),
      cc: z.array(z.string()).describe("The addresses in Cc."),
      bcc: z.array(z.string()).describe("The addresses in Bcc, which the other recipients don't see."),
      reply_to: z.string().nullable().describe("Where replies go; null for the sender's address."),
      subject: z.string().describe("The subject line."),
      headers: z.record(z.string(), z.string()).describe("The X-* headers that it carries."),
      owner_copy: OwnerCopy.describe(
        "How people in charge get a copy, beside the recipients; `off` for no copies.",
      ),
      owner_copies: z.array(z.string()).describe("The addresses of the people in charge who get that copy."),
      text: z.string().nullable().describe("The text part; null without one."),
      html: z.string().nullable().describe("The HTML part; null without one."),
      html_text: z.string().nullable().describe("The HTML part as plain text; null without one."),
      html_renders: z
        .boolean()
        .describe(
          "Whether the HTML was cleaned before the owner was asked, so that a sandboxed frame may render it.",
        ),
      truncated: z.boolean().describe("Whether a body was longer than a page can show and was cut."),
      send_at: Timestamp.nullable().describe("When it is to be sent; null for at once."),
      attachments: z
        .array(Attachment.pick({ id: true, filename: true, content_type: true, size_bytes: true }))
        .describe("The attached files."),
    })
    .nullable()
    .describe("The mail to be sent; null when it is not about a mail, or the mail is gone."),
});
export type ApprovalReview = z.infer<typeof ApprovalReview>;
