import { z } from "zod";
import { fail } from "../catalogue/errors.ts";
import { IdInput } from "../catalogue/ids.ts";
import { LIMITS } from "../catalogue/limits.ts";
import { OWNERS, withinReach } from "../kernel/caller.ts";
import { notFound } from "../kernel/gate.ts";
import { operation } from "../kernel/operation.ts";
import { newestFirst } from "../kernel/page.ts";
import { unitOfWork } from "../kernel/unit-of-work.ts";
import { downloadHeaders } from "../mail/attachments.ts";
import {
  Approval,
  type ApprovalRecord,
  ApprovalReview,
  ApprovalStatus,
  Comment,
  Verdict,
} from "../model/approvals.ts";
import { Download } from "../model/attachments.ts";
import { CursorInput, iso, Limit, listOf } from "../model/fields.ts";
import { decide } from "./decide.ts";
import { endApproval } from "./end.ts";
import { findApproval } from "./find.ts";
import { reviewOf } from "./review.ts";
import { checkOpen } from "./rules.ts";

const Token = z.string({ error: "approval_link_invalid" }).max(200, { error: "approval_link_invalid" });

const VERDICT_OF_STATUS: Partial<Record<ApprovalRecord["status"], Verdict>> = {
  approved: "approve",
  rejected: "reject",
};

/**
 * The operations on approvals. No API key can decide: `decide` takes the token that only the owner was
 * mailed.
 */
export const approvals = {
  list: operation({
    summary: "Lists the approvals, newest first.",
    scope: "filtered",
    effect: "read",
    pages: true,
    allow: ["draft_read"],
    input: z.object({
      inbox_id: IdInput.optional(),
      status: ApprovalStatus.optional(),
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
      return newestFirst(storage, "approvals", { where: filter, limit, cursor });
    },
  }),

  get: operation({
    summary: "Shows an approval.",
    scope: "filtered",
    effect: "read",
    allow: ["draft_read"],
    input: z.object({ approval_id: IdInput }),
    output: Approval,
    run: (ctx, { approval_id }) => findApproval(ctx, ctx.storage, approval_id),
  }),

  cancel: operation({
    summary: "Cancels a pending approval; its draft becomes a plain draft again.",
    scope: "filtered",
    effect: "write",
    allow: ["draft_write", "message_send"],
    input: z.object({ approval_id: IdInput }),
    output: Approval,
    async run(ctx, { approval_id }) {
      await findApproval(ctx, ctx.storage, approval_id);
      return ctx.transaction(async (work) => {
        const approval = await findApproval(ctx, work, approval_id);
        checkOpen(approval, iso(ctx.now));
        return (await endApproval(work, approval, { status: "cancelled" }, ctx.now)) ?? approval;
      });
    },
  }),

  review: operation({
    summary: "Shows an owner what they are asked to approve, by the token of their letter. Decides nothing.",
    scope: "public",
    effect: "read",
    letter: "approval",
    allow: "any",
    callers: OWNERS,
    input: z.object({ token: Token }),
    output: ApprovalReview,
    run: (ctx) => reviewOf(ctx, ctx.letter),
  }),

  reviewAttachment: operation({
    summary:
      "Downloads an attachment of the mail that an owner is asked to approve, by the token of their letter.",
    scope: "public",
    effect: "read",
    letter: "approval",
    allow: "any",
    callers: OWNERS,
    answers: "bytes",
    input: z.object({ token: Token, attachment_id: IdInput }),
    output: Download,
    async run(ctx, { attachment_id }) {
      const { approval } = ctx.letter;
      const draft = await ctx.storage.get("drafts", approval.subject_id);
      const attachment = draft?.attachments.find(({ id }) => id === attachment_id);
      const bytes = attachment === undefined ? undefined : await ctx.blobs.get(attachment.hash);
      if (attachment === undefined || bytes === undefined)
        throw notFound("attachment_not_found", "att", attachment_id);
      return { bytes, headers: downloadHeaders(attachment, true) };
    },
  }),

  decide: operation({
    summary:
      "Decides an approval with the token of the owner's letter. Repeating the same decision returns the current state.",
    scope: "public",
    effect: "write",
    letter: "approval",
    allow: "any",
    callers: OWNERS,
    input: z.object({ token: Token, decision: Verdict, comment: Comment.optional() }),
    output: Approval,
    async run(ctx, { decision, comment = "" }) {
      const { approval, owner } = ctx.letter;
      const said = {
        approval_id: approval.id,
        owner_id: owner.id,
        verdict: decision,
        comment: comment.trim() || null,
      };
      const outcome = await unitOfWork(ctx, approval.account_id, ctx.now, (work) =>
        decide(ctx, work, { ...said, method: "page" }, ctx.now),
      );
      if (outcome === "not_theirs") throw fail("approval_link_invalid", { param: "token" });
      if (outcome === "changed") throw fail("approval_closed", { message: CHANGED_MESSAGE });
      const present = (await ctx.storage.get("approvals", approval.id)) ?? approval;
      if (VERDICT_OF_STATUS[present.status] !== decision) throw fail("approval_closed");
      return present;
    },
  }),
};

const CHANGED_MESSAGE = "This has changed since you were asked, so the request was cancelled.";
