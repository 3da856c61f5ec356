import { limits } from "../catalogue/limits.ts";
import { iso } from "../model/fields.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { Transaction } from "../ports/storage.ts";

const countedUpTo = 1_000_000;

/** How much went with an inbox. */
export interface Closed {
  messages_deleted: number;
  threads_deleted: number;
  drafts_deleted: number;
  tasks_deleted: number;
  owners_deleted: number;
  updates_deleted: number;
  keys_revoked: number;
  webhooks_deleted: number;
}

/**
 * Takes an inbox out of everything that can be seen, in one step that costs little however much mail there
 * is: its keys are revoked, a webhook that loses its last inbox is deleted and never widened, its address
 * stays issued to the account. What only the inbox led to is left to the job `inbox.purge`. Undefined when
 * the inbox was gone already.
 */
export async function closeInbox(
  tx: Transaction,
  inbox: InboxRecord,
  now: Date,
): Promise<Closed | undefined> {
  const { id: inbox_id, account_id } = inbox;
  const counts = {
    messages_deleted: await tx.count("messages", { inbox_id }, countedUpTo),
    threads_deleted: await tx.count("threads", { inbox_id }, countedUpTo),
    drafts_deleted: await tx.count("drafts", { inbox_id }, countedUpTo),
    updates_deleted: await tx.count("updates", { inbox_id }, countedUpTo),
  };
  if ((await tx.delete("inboxes", { id: inbox_id })) === 0) return undefined;
  await tx.update("addresses", { inbox_id }, { inbox_id: null });
  const revoked = await tx.update("keys", { inbox_id, revoked_at: null }, { revoked_at: iso(now) });
  await tx.delete("allowlist", { inbox_id });
  await tx.delete("list_entries", { inbox_id });
  await tx.delete("update_threads", { inbox_id });
  return {
    ...counts,
    tasks_deleted: await tx.delete("tasks", { inbox_id }),
    owners_deleted: await tx.delete("owners", { inbox_id }),
    keys_revoked: revoked.length,
    webhooks_deleted: await narrowWebhooks(tx, account_id, inbox_id),
  };
}

async function narrowWebhooks(tx: Transaction, account_id: string, inbox_id: string): Promise<number> {
  const hooks = await tx.find("webhooks", {
    where: { account_id },
    order: { by: "id", direction: "asc" },
    limit: limits.webhooks_per_account,
  });
  let deleted = 0;
  for (const { id, inbox_ids } of hooks.filter((hook) => hook.inbox_ids.includes(inbox_id))) {
    const left = inbox_ids.filter((other) => other !== inbox_id);
    if (left.length > 0) await tx.update("webhooks", { id }, { inbox_ids: left });
    else deleted += await tx.delete("webhooks", { id });
  }
  return deleted;
}
