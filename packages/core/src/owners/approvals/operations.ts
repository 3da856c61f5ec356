import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { ApprovalId, AttachmentId, InboxId } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { OWNERS, SIGNED_IN, signedIn, withinReach } from "../../kernel/access/caller.ts";
import { notFound } from "../../kernel/gate.ts";
import { operation } from "../../kernel/operation.ts";
import { newestFirst } from "../../kernel/page.ts";
import { SAFETY_HEADERS } from "../../mail/attachments.ts";
import { downloadOf } from "../../mailbox/messages/index.ts";
import { Approval, ApprovalReview, ApprovalStatus, Comment, Verdict } from "../../model/approvals.ts";
import { Download } from "../../model/attachments.ts";
import { CursorInput, iso, Limit, listOf } from "../../model/fields.ts";
import { PasskeyAssertion } from "../../model/passkeys.ts";
import { Changes, Digest, decideAs, EDIT_ERRORS, PASSKEY_ERRORS } from "./decide-as.ts";
import { endApproval } from "./end.ts";
import { approvalOfPerson, findApproval } from "./find.ts";
import { approvalFor, readsAs } from "./reasons.ts";
import { RememberRecipients, RememberValues } from "./remember.ts";
import { reviewOf } from "./review.ts";
import { checkOpen } from "./rules.ts";
import { canonicalContent } from "./versions.ts";

const Token = z.string({ error: "approval_link_invalid" }).max(200, { error: "approval_link_invalid" });

const PASSKEY =
  "What the person's passkey signed, of POST /approvals/:id/decide/options; needed to approve where the inbox asks for passkeys.";

/**
 * The operations on approvals. No API key can decide, and no link alone: `decide` takes the token that only that
 * person was mailed, and a session of their mailbox.
 */
export const approvals = {
  list: operation({
    summary: "Lists the approvals, newest first.",
    when: "See what waits for an owner, or what they decided.",
    example: { status: "pending" },
    errors: ["invalid_cursor"],
    scope: "filtered",
    effect: "read",
    pages: true,
    allow: ["draft_read"],
    tool: {
      name: "list_approvals",
      description: "List what waits for an owner's approval, or what they decided.",
      fields: { status: "" },
    },
    input: z.object({
      inbox_id: InboxId.optional(),
      status: ApprovalStatus.optional().describe("Only approvals with this status."),
      limit: Limit(LIMITS.list_default, LIMITS.list_max),
      cursor: CursorInput.optional(),
    }),
    output: listOf(Approval),
    async run(ctx, { inbox_id, status, limit, cursor }) {
      const { storage, account_id } = ctx;
      if (inbox_id !== undefined && (await storage.get("inboxes", inbox_id))?.account_id !== account_id) {
        throw notFound("inbox_not_found", "inb", inbox_id);
      }
      const scope = withinReach(ctx.caller, inbox_id);
      const filter = status === undefined ? scope : { ...scope, status };
      const page = await newestFirst(storage, "approvals", { where: filter, limit, cursor });
      return { ...page, data: page.data.map((approval) => approvalFor(approval, readsAs(ctx.caller))) };
    },
  }),

  get: operation({
    summary: "Shows an approval.",
    when: "Check whether an owner has decided yet; the event approval.decided says so without asking.",
    scope: "filtered",
    effect: "read",
    allow: ["draft_read"],
    tool: { name: "get_approval", description: "See whether an owner has decided." },
    input: z.object({ approval_id: ApprovalId }),
    output: Approval,
    run: async (ctx, { approval_id }) =>
      approvalFor(await findApproval(ctx, ctx.storage, approval_id), readsAs(ctx.caller)),
  }),

  cancel: operation({
    summary: "Cancels a pending approval; its draft becomes a plain draft again.",
    when: "Take back what the owners were asked, because it is no longer needed or the draft should change.",
    errors: ["approval_closed"],
    scope: "filtered",
    effect: "write",
    allow: ["draft_write", "message_send"],
    input: z.object({ approval_id: ApprovalId }),
    output: Approval,
    async run(ctx, { approval_id }) {
      await findApproval(ctx, ctx.storage, approval_id);
      return ctx.transaction(async (work) => {
        const approval = await findApproval(ctx, work, approval_id);
        checkOpen(approval, iso(ctx.now));
        const ended = await endApproval(work, approval, { status: "cancelled" }, ctx.now);
        return approvalFor(ended ?? approval, readsAs(ctx.caller));
      });
    },
  }),

  review: operation({
    summary: "Shows an owner what they are asked to approve, by the token of their letter. Decides nothing.",
    when: "A page of your own that shows an owner the whole mail; programs with a key can't.",
    errors: ["approval_not_found"],
    scope: "public",
    effect: "read",
    letter: "approval",
    allow: "any",
    callers: OWNERS,
    input: z.object({ token: Token.describe("The token of the letter.") }),
    output: ApprovalReview,
    run: (ctx) => {
      const signed_in = ctx.caller.type === "owner" && ctx.caller.email === ctx.letter.email;
      return reviewOf(ctx, { ...ctx.letter, signed_in });
    },
  }),

  reviewAttachment: operation({
    summary:
      "Downloads an attachment of the mail that an owner is asked to approve, by the token of their letter.",
    when: "Let an owner open what is attached before they decide.",
    errors: ["approval_not_found"],
    scope: "public",
    effect: "read",
    letter: "approval",
    allow: "any",
    callers: OWNERS,
    answers: "bytes",
    input: z.object({ token: Token.describe("The token of the letter."), attachment_id: AttachmentId }),
    output: Download,
    async run(ctx, { attachment_id }) {
      const { approval } = ctx.letter;
      const draft = await ctx.storage.get("drafts", approval.subject_id);
      const attachment = draft?.attachments.find(({ id }) => id === attachment_id);
      if (attachment === undefined) throw notFound("attachment_not_found", "att", attachment_id);
      return downloadOf(ctx, attachment, true);
    },
  }),

  decide: operation({
    summary:
      "Decides an approval with the token of the letter, in the session of the mailbox that it was sent to. Repeating the same decision returns the current state.",
    when: "A page of your own on which an owner decides, signed in to the mailbox that was asked.",
    example: { decision: "approve" },
    errors: [
      "session_required",
      "authority_required",
      "approval_closed",
      "approval_not_found",
      "address_is_inbox",
      ...PASSKEY_ERRORS,
      ...EDIT_ERRORS,
    ],
    scope: "public",
    effect: "write",
    letter: "approval",
    allow: "any",
    callers: OWNERS,
    input: z.object({
      token: Token.describe("The token of the letter."),
      decision: Verdict.describe("What the owner decides."),
      comment: Comment.optional().describe(
        `A comment for the agent; at most ${LIMITS.approval_comment_chars} characters.`,
      ),
      digest: Digest.optional().describe("The digest of what they have read; needed with changes."),
      changes: Changes.optional(),
      passkey: PasskeyAssertion.optional().describe(PASSKEY),
      remember_recipients: RememberRecipients,
      remember_values: RememberValues,
    }),
    output: Approval,
    async run(ctx, { token: _token, ...said }) {
      const { approval, email, decides } = ctx.letter;
      if (signedIn(ctx.caller).email !== email) throw fail("session_required");
      return decideAs(ctx, { approval, email, decides }, { ...said, method: "page" });
    },
  }),

  content: operation({
    summary: "Shows a signed-in person what they are asked to approve: the whole mail, and its digest.",
    when: "An app for owners that shows what waits for them.",
    scope: "public",
    effect: "read",
    allow: "any",
    callers: SIGNED_IN,
    input: z.object({ approval_id: ApprovalId }),
    output: ApprovalReview,
    run: async (ctx, { approval_id }) =>
      reviewOf(ctx, { ...(await approvalOfPerson(ctx, ctx.caller, approval_id)), signed_in: true }),
  }),

  canonical: operation({
    summary:
      "Downloads what a signed-in person is asked to approve in its canonical form (RFC 8785): the digest is SHA-256 of these bytes.",
    when: "Compute the digest yourself, to prove what was approved.",
    errors: ["draft_not_found"],
    scope: "public",
    effect: "read",
    allow: "any",
    callers: SIGNED_IN,
    answers: "bytes",
    input: z.object({ approval_id: ApprovalId }),
    output: Download,
    async run(ctx, { approval_id }) {
      const { approval } = await approvalOfPerson(ctx, ctx.caller, approval_id);
      const bytes = new TextEncoder().encode(await canonicalContent(ctx, ctx.storage, approval));
      return { bytes, headers: { "Content-Type": "application/json", ...SAFETY_HEADERS } };
    },
  }),

  decideInSession: operation({
    summary:
      "Decides an approval in the session of a person with authority. The digest says what they have read.",
    when: "An app for owners in which they decide; the digest proves which version they read.",
    example: {
      decision: "reject",
      digest: "sha-256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      comment: "Not before Friday.",
    },
    errors: ["authority_required", "approval_closed", "address_is_inbox", ...PASSKEY_ERRORS, ...EDIT_ERRORS],
    scope: "public",
    effect: "write",
    allow: "any",
    callers: SIGNED_IN,
    input: z.object({
      approval_id: ApprovalId,
      decision: Verdict.describe("What the person decides."),
      digest: Digest.describe("The digest of what they have read, from the approval."),
      comment: Comment.optional().describe(
        `A comment for the agent; at most ${LIMITS.approval_comment_chars} characters.`,
      ),
      changes: Changes.optional(),
      passkey: PasskeyAssertion.optional().describe(PASSKEY),
      remember_recipients: RememberRecipients,
      remember_values: RememberValues,
    }),
    output: Approval,
    run: async (ctx, { approval_id, ...said }) =>
      decideAs(ctx, await approvalOfPerson(ctx, ctx.caller, approval_id), { ...said, method: "session" }),
  }),
};
