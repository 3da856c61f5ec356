import { fail } from "../../catalogue/errors.ts";
import type { AccountContext, Services } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import { endJob, postponeJob } from "../../kernel/jobs/job-lease.ts";
import { giveBackToPlan } from "../../limits/plans/index.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { JobRecord } from "../../model/jobs.ts";
import type { WorkspaceRecord } from "../../model/workspaces.ts";
import { endAccess } from "../erasing/end-access.ts";
import { eraseSomeRecords } from "../erasing/erase-records.ts";
import { endInbox } from "../inboxes/close.ts";
import { checkMayEnd } from "../inboxes/held-deletion.ts";
import { endTrashedInboxes } from "../inboxes/trash.ts";
import { workspaceNotFound } from "./find.ts";
import { checkEmpty } from "./rules.ts";

/** Inboxes that one transaction closes, so that other writers get their turn. */
const INBOXES_PER_STEP = 50;

/**
 * Deletes an empty workspace and revokes its keys; the job `workspace.purge` deletes what else is left of its
 * sub-account. Returns how many keys still worked. Fails with `workspace_not_empty`.
 */
export async function closeWorkspace(
  ctx: AccountContext,
  { id, account_id }: WorkspaceRecord,
): Promise<{ keys_revoked: number }> {
  return ctx.transaction(async (work) => {
    // Writing the row blocks concurrent creations of inboxes, which then find no workspace.
    const [workspace] = await work.update("workspaces", { id }, { updated_at: iso(ctx.now) });
    if (workspace === undefined) throw workspaceNotFound(id);
    checkEmpty(workspace);
    await work.delete("workspaces", { id });
    await giveBackToPlan(work, ctx.account_id, "workspaces", 1);
    const { keys_revoked } = await endAccess(work, account_id, ctx.now);
    work.job({ kind: "workspace.purge", subject_id: account_id });
    return { keys_revoked };
  });
}

/**
 * Deletes all inboxes of a workspace, as their own deletion does, some in each transaction. Nothing is deleted
 * when one of them needs an approval. Returns how many it deleted. Fails with `approval_required`.
 */
export async function deleteInboxes(ctx: AccountContext, { account_id }: WorkspaceRecord): Promise<number> {
  const inboxes: InboxRecord[] = [];
  for (let page = await nextInboxes(ctx, account_id, ""); page.length > 0; ) {
    inboxes.push(...page);
    page = await nextInboxes(ctx, account_id, page.at(-1)?.id ?? "");
  }
  await checkMayEnd(ctx, ctx.storage, inboxes, "delete_inboxes");
  let deleted = 0;
  for (let at = 0; at < inboxes.length; at += INBOXES_PER_STEP)
    deleted += await ctx.transaction(async (work) => {
      const step = inboxes.slice(at, at + INBOXES_PER_STEP);
      const found = await work.find("inboxes", {
        where: { id: { in: step.map(({ id }) => id) } },
        limit: step.length,
      });
      await checkMayEnd(ctx, work, found, "delete_inboxes");
      for (const inbox of found) await endInbox(work, inbox, ctx.now);
      return found.length;
    });
  return deleted;
}

/** Deletes for good the inboxes in the trash of a workspace that has no others. */
export async function emptyTrash(ctx: AccountContext, { account_id }: WorkspaceRecord): Promise<void> {
  if ((await nextInboxes(ctx, account_id, "")).length === 0)
    await endTrashedInboxes(ctx, account_id, ctx.now);
}

const nextInboxes = ({ storage }: AccountContext, account_id: string, after: string) =>
  storage.find("inboxes", {
    where: { account_id, id: { gt: after } },
    order: { by: "id", direction: "asc" },
    limit: INBOXES_PER_STEP,
  });

/** Deletes one inbox of a workspace. Fails with `inbox_not_found` or `approval_required`. */
export async function deleteInbox(ctx: AccountContext, { account_id }: WorkspaceRecord, inbox_id: string) {
  return ctx.transaction(async (work) => {
    const inbox = await work.get("inboxes", inbox_id);
    if (inbox?.account_id !== account_id) throw notFound("inbox_not_found", "inb", inbox_id);
    await checkMayEnd(ctx, work, [inbox], "workspace_inbox_id");
    const closed = await endInbox(work, inbox, ctx.now);
    if (closed === undefined) throw fail("inbox_not_found");
    const answer = { id: inbox_id, object: "inbox" as const, deleted: true as const };
    return { ...answer, restorable_until: null, ...closed };
  });
}

const STEPS_PER_RUN = 20;

/**
 * Deletes what a deleted workspace left behind, in small transactions so that other writers get their turn;
 * `subject_id` is its sub-account. Its inboxes have jobs of their own; its addresses stay, so that nobody else
 * gets them, and its keys, so that they are answered as revoked.
 */
export async function purgeWorkspace(services: Services, job: JobRecord): Promise<void> {
  const now = services.clock.now();
  await endTrashedInboxes(services, job.subject_id, now);
  for (let step = 0; step < STEPS_PER_RUN; step++)
    if (!(await eraseSomeRecords(services, job.subject_id, now, { kept: ["keys"] })))
      return endJob(services.storage, job);
  await postponeJob(services.storage, job, services.clock.now());
  await services.queue.send(services.clock.now());
}
