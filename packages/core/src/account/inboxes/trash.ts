import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { AccountCaller } from "../../kernel/access/caller.ts";
import { domainForInboxes } from "../../kernel/addresses/custom-domains.ts";
import { isOurDomain } from "../../kernel/addresses/mail-domain.ts";
import type { AccountContext, InboxContext, Services } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import { pageOf } from "../../kernel/page.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { Work } from "../../kernel/work.ts";
import { withTrashFields } from "../../mailbox/messages/index.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord, TrashedInboxRecord } from "../../model/inboxes.ts";
import type { DeletedBy } from "../../model/trash.ts";
import { voidApprovals } from "../../owners/approvals/index.ts";
import { type Closed, forgetInbox, leaveToPurge, shutInbox } from "./close.ts";
import { floorOver, guardsAfter } from "./guards/change.ts";
import { matchesQuery } from "./rules.ts";

const PER_STEP = 50;
const DRAFTS_PER_STEP = 200;

/**
 * Moves an inbox to the trash for 7 days: mail to it is refused, its keys stay revoked, and its number, its webhooks and
 * consumers are gone; its address, people and mail stay. `decided`: it took a person's decision, so that only a person
 * undoes it. Undefined when it was gone already.
 */
export async function trashInbox(
  work: Work,
  inbox: InboxRecord,
  { deleted_by, decided }: { deleted_by: DeletedBy; decided: boolean },
  now: Date,
): Promise<(Closed & { restorable_until: string }) | undefined> {
  const closed = await shutInbox(work, inbox, now);
  if (closed === undefined) return undefined;
  const { id, account_id } = inbox;
  const restorable_until = iso(new Date(now.getTime() + LIMITS.trashed_inbox_kept_ms));
  const trashed = { id, account_id, deleted_by, decided, trashed_at: iso(now), restorable_until };
  work.append("trashed_inboxes", [{ ...trashed, record: inbox }]);
  return { ...closed, restorable_until };
}

/** Fails with `owner_only` when an agent would undo, or finish, what a person did or decided. */
export function checkMayUndo({ type }: Pick<AccountCaller, "type">, trashed: TrashedInboxRecord): void {
  if (type === "owner" || (!trashed.decided && trashed.deleted_by.type !== "owner")) return;
  throw fail("owner_only", {
    message:
      "A person deleted this inbox or approved it, so only a person restores it or deletes it for good.",
    fix: "Ask an owner to do it in their session.",
  });
}

/**
 * Takes an inbox out of the trash; nothing in it is scheduled any more. Fails with `inbox_not_found`, `not_in_trash`,
 * `owner_only`, or, where its custom domain was deleted meanwhile, `domain_not_found` or `domain_not_verified`.
 */
export const restoreInbox = (ctx: InboxContext): Promise<InboxRecord> =>
  ctx.transaction(async (work) => {
    const { id } = ctx.inbox;
    const trashed = await work.get("trashed_inboxes", id);
    if (trashed === undefined)
      throw (await work.get("inboxes", id)) === undefined
        ? notFound("inbox_not_found", "inb", id)
        : fail("not_in_trash");
    checkMayUndo(ctx.caller, trashed);
    const { record, account_id } = trashed;
    if (!isOurDomain(ctx, record.domain)) await domainForInboxes(work, { account_id, domain: record.domain });
    await work.delete("trashed_inboxes", { id });
    await endSchedules(work, id, ctx.now);
    // The account's floor may have been raised meanwhile.
    const settled = { ...record, ...guardsAfter(record, {}, await floorOver(work, account_id)) };
    const { record: restored, inserted } = await work.insert("inboxes", settled);
    // Meanwhile another inbox may have got its client_id.
    return inserted ? restored : (await work.insert("inboxes", { ...settled, client_id: null })).record;
  });

/** Ends what waited for its time, or for a decision, when the inbox was deleted. */
async function endSchedules(work: Work, inbox_id: string, now: Date): Promise<void> {
  for (let after = ""; ; ) {
    const drafts = await work.find("drafts", {
      where: { inbox_id, id: { gt: after } },
      order: { by: "id", direction: "asc" },
      limit: DRAFTS_PER_STEP,
    });
    for (const { id, send_status, approval_status } of drafts) {
      if (approval_status === "pending") await voidApprovals(work, id, now);
      if (send_status !== "scheduled") continue;
      await work.update("drafts", { id }, { send_status: "draft", send_at: null, updated_at: iso(now) });
      await work.delete("jobs", { subject_id: id, kind: "draft.send" });
    }
    const last = drafts.at(-1);
    if (last === undefined || drafts.length < DRAFTS_PER_STEP) return;
    after = last.id;
  }
}

/** Deletes an inbox in the trash for good; what it holds is left to `inbox.purge`. */
export async function endTrashedInbox(work: Work, { id, account_id }: TrashedInboxRecord): Promise<void> {
  if ((await work.delete("trashed_inboxes", { id })) === 0) return;
  await forgetInbox(work, { id, account_id });
  leaveToPurge(work, { id, account_id });
}

/** Deletes for good all inboxes that an account has in the trash, some in each transaction. */
export async function endTrashedInboxes(services: Services, account_id: string, now: Date): Promise<void> {
  for (;;) {
    const ended = await unitOfWork(services, account_id, now, async (work) => {
      const trashed = await work.find("trashed_inboxes", {
        where: { account_id },
        order: { by: "id", direction: "asc" },
        limit: PER_STEP,
      });
      for (const each of trashed) await endTrashedInbox(work, each);
      return trashed.length;
    });
    if (ended < PER_STEP) return;
  }
}

/** Deletes for good some inboxes that can be restored no longer; returns whether there may be more. */
export async function dropTrashedInboxes(services: Services, now: Date): Promise<boolean> {
  const over = await services.storage.find("trashed_inboxes", {
    where: { restorable_until: { lte: iso(now) } },
    order: { by: "restorable_until", direction: "asc" },
    limit: PER_STEP,
  });
  for (const { id, account_id } of over)
    await unitOfWork(services, account_id, now, async (work) => {
      // It may have been restored since, and deleted anew.
      const trashed = await work.get("trashed_inboxes", id);
      if (trashed !== undefined && trashed.restorable_until <= iso(now)) await endTrashedInbox(work, trashed);
    });
  return over.length === PER_STEP;
}

/** A page of an account's inboxes in the trash, or of those that the caller is limited to; newest first. */
export async function pageOfTrashedInboxes(
  { storage, account_id, caller }: AccountContext,
  { word, limit, cursor }: { word: string; limit: number; cursor: string | undefined },
) {
  const { inbox_ids } = caller;
  const keep = ({ id, record }: TrashedInboxRecord) =>
    matchesQuery(record, word) && (inbox_ids === null || inbox_ids.includes(id));
  const page = await pageOf<TrashedInboxRecord>({
    filter: { list: "inboxes.trash", account_id, inbox_ids, word },
    limit,
    cursor,
    async read(after, count) {
      const found: TrashedInboxRecord[] = [];
      for (let last = after; ; ) {
        const trashed = await storage.find("trashed_inboxes", {
          where: { account_id, ...(last === undefined ? {} : { id: { lt: last } }) },
          order: { by: "id", direction: "desc" },
          limit: PER_STEP,
        });
        found.push(...trashed.filter(keep));
        if (found.length >= count || trashed.length < PER_STEP) return found.slice(0, count);
        last = trashed.at(-1)?.id;
      }
    },
    position: ({ id }) => id,
  });
  return { ...page, data: page.data.map((trashed) => withTrashFields(trashed.record, trashed)) };
}
