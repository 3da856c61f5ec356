import { LIMITS } from "../../catalogue/limits.ts";
import { endPersons, retireAddress } from "../../kernel/addresses/address-registry.ts";
import type { Work } from "../../kernel/work.ts";
import { giveBackToPlan } from "../../limits/plans/index.ts";
import { tablesClosedBy } from "../../model/belonging.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import { ANY_STATUS } from "../../model/tasks.ts";
import { releaseNumberOf } from "../../phone/telephony/index.ts";
import type { Transaction } from "../../ports/storage.ts";
import { giveBackToWorkspace } from "./workspace-quota.ts";

const MAX_COUNT = 1_000_000;
const MAX_AUTHORITIES = 1_000;
/** Those that have failed are kept for a month. */
const MAX_FORWARDINGS = 1_000;

/** The counts of what was deleted with an inbox. */
export interface Closed {
  messages_deleted: number;
  threads_deleted: number;
  drafts_deleted: number;
  tasks_deleted: number;
  owners_deleted: number;
  updates_deleted: number;
  keys_revoked: number;
  webhooks_deleted: number;
  consumers_deleted: number;
}

/**
 * Deletes an inbox and everything visible of it, in one step that is cheap however much mail it has. Its keys
 * are revoked, a webhook that loses its last inbox is deleted (never widened), its phone number is given back, and its
 * address stays with the account. The job `inbox.purge` deletes the rest. Undefined when the inbox was gone already.
 */
export async function closeInbox(tx: Work, inbox: InboxRecord, now: Date): Promise<Closed | undefined> {
  const closed = await shutInbox(tx, inbox, now);
  if (closed !== undefined) await forgetInbox(tx, inbox);
  return closed;
}

/**
 * Takes an inbox away with everybody's access to it, but leaves what it holds, its address and its people. Counts all
 * that is out of reach then. Undefined when the inbox was gone already.
 */
export async function shutInbox(tx: Work, inbox: InboxRecord, now: Date): Promise<Closed | undefined> {
  const { id: inbox_id, account_id } = inbox;
  // Mail that is being stored holds this row: it comes before the inbox closes, or finds it closed. A parent account doesn't.
  await tx.update("accounts", { id: account_id }, { event_sequence: { add: 0 } });
  const counts = {
    messages_deleted: await tx.count("messages", { inbox_id }, MAX_COUNT),
    threads_deleted: await tx.count("threads", { inbox_id }, MAX_COUNT),
    drafts_deleted: await tx.count("drafts", { inbox_id }, MAX_COUNT),
    updates_deleted: await tx.count("updates", { inbox_id }, MAX_COUNT),
    tasks_deleted: await tx.count("tasks", { inbox_id, status: ANY_STATUS }, MAX_COUNT),
    owners_deleted: await tx.count("owners", { inbox_id }, MAX_COUNT),
  };
  if ((await tx.delete("inboxes", { id: inbox_id })) === 0) return undefined;
  await releaseNumberOf(tx, inbox_id, now);
  const revoked = await tx.update("keys", { inbox_id, revoked_at: null }, { revoked_at: iso(now) });
  await tx.delete("oauth_grants", { inbox_id });
  return {
    ...counts,
    keys_revoked: revoked.length,
    consumers_deleted: await tx.delete("consumers", { inbox_id }),
    webhooks_deleted: await narrowWebhooks(tx, account_id, inbox_id),
  };
}

/** Gives back the place and the address of an inbox that was taken away, and ends what its people had of it. */
export async function forgetInbox(
  tx: Work,
  { id: inbox_id, account_id }: Pick<InboxRecord, "id" | "account_id">,
): Promise<void> {
  await giveBackToPlan(tx, account_id, "inboxes", 1);
  await retireAddress(tx, inbox_id);
  await giveBackToWorkspace(tx, account_id);
  const people = await peopleOf(tx, inbox_id);
  const forwardings = await tx.find("forwardings", { where: { inbox_id }, limit: MAX_FORWARDINGS });
  await tx.delete("jobs", { subject_id: { in: forwardings.map(({ id }) => id) } });
  for (const { table } of DELETED_AT_ONCE) await tx.delete(table as "tasks", { inbox_id });
  await endPersons(tx, people);
}

/**
 * Closes an inbox in the caller's transaction, and leaves the rest to `inbox.purge`. Undefined when it was gone
 * already.
 */
export async function endInbox(work: Work, inbox: InboxRecord, now: Date): Promise<Closed | undefined> {
  const closed = await closeInbox(work, inbox, now);
  if (closed !== undefined) leaveToPurge(work, inbox);
  return closed;
}

/** Leaves what a closed inbox holds to the job that purges it. */
export const leaveToPurge = (
  work: Work,
  { id: subject_id, account_id }: Pick<InboxRecord, "id" | "account_id">,
): void => work.job({ kind: "inbox.purge", subject_id, payload: { account_id } });

/** The addresses of those with a right that ends with the inbox. */
async function peopleOf(tx: Transaction, inbox_id: string): Promise<string[]> {
  const owners = await tx.find("owners", {
    where: { inbox_id, status: "verified" },
    limit: LIMITS.owners_per_inbox,
  });
  const authorities = await tx.find("authorities", { where: { inbox_id }, limit: MAX_AUTHORITIES });
  return [...owners, ...authorities].map(({ email }) => email);
}

const DELETED_AT_ONCE = tablesClosedBy("delete");

async function narrowWebhooks(tx: Transaction, account_id: string, inbox_id: string): Promise<number> {
  const hooks = await tx.find("webhooks", {
    where: { account_id },
    order: { by: "id", direction: "asc" },
    limit: LIMITS.webhooks_per_account,
  });
  let deleted = 0;
  for (const { id, inbox_ids } of hooks.filter((hook) => hook.inbox_ids.includes(inbox_id))) {
    const left = inbox_ids.filter((other) => other !== inbox_id);
    if (left.length > 0) await tx.update("webhooks", { id }, { inbox_ids: left });
    else deleted += await tx.delete("webhooks", { id });
  }
  return deleted;
}
