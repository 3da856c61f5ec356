import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { InboxId } from "../../catalogue/id-inputs.ts";
import type { InboxContext } from "../../kernel/context.ts";
import { operation } from "../../kernel/operation.ts";
import type { Work } from "../../kernel/work.ts";
import { deletedBy } from "../../mailbox/messages/index.ts";
import { Approval } from "../../model/approvals.ts";
import { DeletedInbox, Inbox } from "../../model/inboxes.ts";
import { askAboutChange, asksForPasskey, recordDecision } from "../../owners/approvals/index.ts";
import { endInbox } from "./close.ts";
import { needsApprovalToEnd } from "./held-deletion.ts";
import { checkMayUndo, endTrashedInbox, restoreInbox, trashInbox } from "./trash.ts";

/** The operations that delete inboxes and take them back. */
export const deletion = {
  delete: operation({
    summary:
      "Moves an inbox with its messages, drafts, tasks and owners to the trash for 7 days, and revokes its keys; with permanent=true deletes it for good. In approval mode an owner must approve first.",
    when: "Close an inbox; its address is never given to another account.",
    errors: ["owner_required", "approval_limit", "approval_rejected", "approval_required", "owner_only"],
    scope: "inbox",
    inbox_in_trash: true,
    effect: "delete",
    holds: true,
    allow: ["inbox_delete"],
    input: z.object({
      inbox_id: InboxId,
      permanent: z
        .boolean()
        .default(false)
        .describe("Delete it for good, also from the trash. It can't be restored then."),
    }),
    output: z.union([DeletedInbox, Approval]),
    run: (ctx, { permanent }) => ctx.transaction((work) => deleteInbox(ctx, work, permanent)),
  }),

  restore: operation({
    summary:
      "Takes an inbox out of the trash with everything in it; its keys stay revoked, and its webhooks, consumers and number gone.",
    when: "Take back within 7 days that an inbox was deleted.",
    errors: ["not_in_trash", "owner_only", "domain_not_found", "domain_not_verified"],
    scope: "inbox",
    inbox_in_trash: true,
    effect: "write",
    allow: ["inbox_delete"],
    input: z.object({ inbox_id: InboxId }),
    output: Inbox,
    run: restoreInbox,
  }),
};

/** Deletes an inbox, or one in the trash for good; where it takes a decision, asks for it instead. */
async function deleteInbox(ctx: InboxContext, work: Work, permanent: boolean) {
  const { id } = ctx.inbox;
  const answer = { id, object: "inbox" as const, deleted: true as const };
  const trashed = await work.get("trashed_inboxes", id);
  if (trashed !== undefined) {
    if (!permanent) throw fail("inbox_not_found");
    checkMayUndo(ctx.caller, trashed);
    await endTrashedInbox(work, trashed);
    return { ...answer, restorable_until: null, ...NOTHING_MORE };
  }
  const inbox = await work.get("inboxes", id);
  if (inbox === undefined) throw fail("inbox_not_found");
  const held = await needsApprovalToEnd(ctx, work, inbox);
  if (held) {
    const asked: Record<string, string> = permanent ? { permanent: "true" } : {};
    const change = { subject_type: "inbox_delete" as const, subject_id: id, change: asked };
    if (ctx.caller.type !== "owner" || asksForPasskey(inbox))
      return askAboutChange(ctx, work, inbox, change, ctx.now);
    await recordDecision(ctx, work, inbox, { ...change, email: ctx.caller.email }, ctx.now);
  }
  const by = { deleted_by: deletedBy(ctx.caller), decided: held };
  const closed = permanent
    ? await endInbox(work, inbox, ctx.now).then((each) => each && { ...each, restorable_until: null })
    : await trashInbox(work, inbox, by, ctx.now);
  if (closed === undefined) throw fail("inbox_not_found");
  return { ...answer, ...closed };
}

/** The answer's additions when an inbox is deleted that was in the trash: nothing, as it was told then. */
const NOTHING_MORE = {
  ...{ messages_deleted: 0, threads_deleted: 0, drafts_deleted: 0, updates_deleted: 0, tasks_deleted: 0 },
  ...{ owners_deleted: 0, keys_revoked: 0, webhooks_deleted: 0, consumers_deleted: 0 },
};
