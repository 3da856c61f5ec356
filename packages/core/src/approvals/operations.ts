import { z } from "zod";
import { fail } from "../catalogue/errors.ts";
import { IdInput } from "../catalogue/ids.ts";
import { limits } from "../catalogue/limits.ts";
import { notFound } from "../kernel/gate.ts";
import { operation } from "../kernel/operation.ts";
import { pageOf } from "../kernel/page.ts";
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
import { byToken, findApproval } from "./find.ts";
import { reviewOf } from "./review.ts";
import { checkOpen } from "./rules.ts";

const Token = z.string({ error: "approval_link_invalid" }).max(200, { error: "approval_link_invalid" });

const verdictOf: Partial<Record<ApprovalRecord["status"], Verdict>> = {
  approved: "approve",
  rejected: "reject",
};

/**
 * What can be done with acts that wait for an owner. No API key decides: `decide` takes the token that only
 * the owner was mailed.
 */
export const approvals = {
  list: operation({
    summary: "Lists what waits or waited for an owner's approval, newest first.",
    scope: "filtered",
    allow: ["draft_read"],
    input: z.object({
      inbox_id: IdInput.optional(),
      status: ApprovalStatus.optional(),
      limit: Limit(limits.list_default, limits.list_max),
      cursor: CursorInput.optional(),
    }),
    output: listOf(Approval),
    async run(ctx, { inbox_id = ctx.caller.inbox_id ?? undefined, status, limit, cursor }) {
      const { storage, account_id } = ctx;
      if (inbox_id !== undefined && (await storage.get("inboxes", inbox_id))?.account_id !== account_id) {
        throw notFound("inbox_not_found", "inb", inbox_id);
      }
      const scope = inbox_id === undefined ? { account_id } : { inbox_id };
      const filter = status === undefined ? scope : { ...scope, status };
      return pageOf<ApprovalRecord>({
        filter: { list: "approvals", ...filter },
        limit,
        cursor,
        read: (after, most) =>
          storage.find("approvals", {
            where: { ...filter, ...(after === undefined ? {} : { id: { lt: after } }) },
            order: { by: "id", direction: "desc" },
            limit: most,
          }),
        position: ({ id }) => id,
      });
    },
  }),

  get: operation({
    summary: "Shows an approval and how it was decided.",
    scope: "filtered",
    allow: ["draft_read"],
    input: z.object({ approval_id: IdInput }),
    output: Approval,
    run: (ctx, { approval_id }) => findApproval(ctx, ctx.storage, approval_id),
  }),

  cancel: operation({
    summary: "Takes a question to the owners back; its draft goes back to rest.",
    scope: "filtered",
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
    summary: "Shows an owner what they are asked, by the token of their letter, without deciding anything.",
    scope: "public",
    allow: "any",
    owners_only: true,
    input: z.object({ token: Token }),
    output: ApprovalReview,
    async run(ctx, { token }) {
      return reviewOf(ctx, await byToken(ctx, token));
    },
  }),

  reviewAttachment: operation({
    summary:
      "Downloads an attachment of the mail that an owner is asked about, by the token of their letter.",
    scope: "public",
    allow: "any",
    owners_only: true,
    answers: "bytes",
    input: z.object({ token: Token, attachment_id: IdInput }),
    output: Download,
    async run(ctx, { token, attachment_id }) {
      const { approval } = await byToken(ctx, token);
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
      "Decides for the owner who holds the token of the letter. Deciding the same again answers the present state.",
    scope: "public",
    allow: "any",
    owners_only: true,
    input: z.object({ token: Token, decision: Verdict, comment: Comment.optional() }),
    output: Approval,
    async run(ctx, { token, decision, comment = "" }) {
      const { approval, owner } = await byToken(ctx, token);
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
      if (outcome === "changed") throw fail("approval_closed", { message: changedMessage });
      const present = (await ctx.storage.get("approvals", approval.id)) ?? approval;
      if (verdictOf[present.status] !== decision) throw fail("approval_closed");
      return present;
    },
  }),
};

const changedMessage = "What was asked is no longer what would be done, so the question was taken back.";
