import type { Services } from "../../kernel/context.ts";
import { endJob, noteOnJob, postponeJob } from "../../kernel/jobs/job-lease.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { Work } from "../../kernel/work.ts";
import type { JobRecord } from "../../model/jobs.ts";
import { closeInbox } from "../inboxes/close.ts";
import { eraseClosedInbox } from "../inboxes/purge.ts";
import { endTrashedInboxes } from "../inboxes/trash.ts";
import { beginErasing } from "./begin.ts";
import { eraseSomeRecords } from "./erase-records.ts";

const STEPS_PER_RUN = 20;
/** The number of sub-accounts and inboxes closed in one transaction, so that other writers get their turn. */
const CLOSED_PER_STEP = 20;
/** The time by which calls and mail processing that were under way when the account was deleted are over. */
const LAST_LOOK_MS = 3600_000;

/**
 * Erases a deleted account; `subject_id` is its id. Deletes its sub-accounts first, each with a job of its own, then
 * closes and empties its inboxes, some at a time, then deletes all other records that belong to it, and its own
 * record last. An hour later it looks once more for leftovers of calls that were under way. The addresses stay. All
 * of this happens in small transactions; a run that is killed is resumed by the next one. An account that has been
 * imported again since is left alone.
 */
export async function eraseAccount(services: Services, job: JobRecord): Promise<void> {
  const { storage, clock, queue } = services;
  const now = clock.now();
  const account_id = job.subject_id;
  const account = await storage.get("accounts", account_id);
  if (account !== undefined && account.deleted_at === null) return endJob(storage, job);

  let closed = closedInboxes(job);
  for (let step = 0; step < STEPS_PER_RUN; step++) {
    const [inbox_id, ...others] = closed;
    if (inbox_id !== undefined) {
      if (!(await eraseClosedInbox(services, { id: inbox_id, account_id }, now))) break;
      closed = others;
      await noteOnJob(storage, job, { closed });
      continue;
    }
    await endTrashedInboxes(services, account_id, now);
    if (await deleteSubAccounts(services, account_id, now)) continue;
    closed = await closeInboxes(services, job, now);
    if (closed.length > 0) continue;
    if (await eraseSomeRecords(services, account_id, now, { mayGoOn: stillDeleted(account_id) })) continue;
    if (account === undefined) return endJob(storage, job);
    if (await forget(services, account_id, now))
      return postponeJob(storage, job, new Date(now.getTime() + LAST_LOOK_MS), {});
  }
  await postponeJob(storage, job, clock.now(), { closed });
  await queue.send(clock.now());
}

/** The inboxes that were closed, and are not emptied yet. */
function closedInboxes({ payload }: JobRecord): string[] {
  const { closed } = payload;
  return Array.isArray(closed) ? closed.filter((id) => typeof id === "string") : [];
}

/** Whether an account is deleted or gone, and wasn't imported again. */
const stillDeleted =
  (account_id: string) =>
  async (work: Pick<Work, "get">): Promise<boolean> =>
    (await work.get("accounts", account_id))?.deleted_at !== null;

/** Deletes sub-accounts that are not deleted yet, those of workspaces that are gone among them. Returns whether there were any. */
async function deleteSubAccounts(services: Services, account_id: string, now: Date): Promise<boolean> {
  const open = await openSubAccounts(services.storage, account_id);
  for (const { id } of open) await unitOfWork(services, id, now, (work) => beginErasing(work, id, now));
  return open.length > 0;
}

const openSubAccounts = (storage: Pick<Work, "find">, account_id: string) =>
  storage.find("accounts", {
    where: { parent_account_id: account_id, deleted_at: null },
    order: { by: "id", direction: "asc" },
    limit: CLOSED_PER_STEP,
  });

/** Closes some inboxes, and notes on the job that they have to be emptied. Returns their ids. */
async function closeInboxes(services: Services, job: JobRecord, now: Date): Promise<string[]> {
  const account_id = job.subject_id;
  return unitOfWork(services, account_id, now, async (work) => {
    if (!(await stillDeleted(account_id)(work))) return [];
    const inboxes = await work.find("inboxes", {
      where: { account_id },
      order: { by: "id", direction: "asc" },
      limit: CLOSED_PER_STEP,
    });
    for (const inbox of inboxes) await closeInbox(work, inbox, now);
    const closed = inboxes.map(({ id }) => id);
    if (closed.length > 0) await noteOnJob(work, job, { closed });
    return closed;
  });
}

/** Deletes the account's own record. Returns false when something was made in it that must be deleted first. */
async function forget(services: Services, account_id: string, now: Date): Promise<boolean> {
  return unitOfWork(services, account_id, now, async (work) => {
    const account = await work.get("accounts", account_id);
    if (account === undefined || account.deleted_at === null) return true;
    const inboxes = await work.find("inboxes", {
      where: { account_id },
      order: { by: "id", direction: "asc" },
      limit: 1,
    });
    const sub_accounts = await openSubAccounts(work, account_id);
    if (inboxes.length > 0 || sub_accounts.length > 0) return false;
    await work.delete("accounts", { id: account_id });
    const { parent_account_id: id, storage_bytes } = account;
    if (id !== null) await work.update("accounts", { id }, { sub_account_bytes: { add: -storage_bytes } });
    return true;
  });
}
