import { LetterslotError } from "../../../catalogue/errors.ts";
import { LIMITS } from "../../../catalogue/limits.ts";
import { rootAccount } from "../../../kernel/access/root-account.ts";
import type { Services } from "../../../kernel/context.ts";
import { unitOfWork } from "../../../kernel/unit-of-work.ts";
import type { Work } from "../../../kernel/work.ts";
import { checkStorage } from "../../../limits/plans/index.ts";
import { iso } from "../../../model/fields.ts";
import type { MessageRecord } from "../../../model/messages.ts";
import type { TrashRecord } from "../../../model/trash.ts";
import { uncountMessages } from "../../contacts/index.ts";
import { freeBlobs } from "../delete.ts";

/** Records that are purged in one transaction. */
const PURGED_AT_ONCE = 50;

/** Deletes trashed records for good; blobs that nothing else uses are collected later. */
export async function purgeTrash(work: Work, trashed: readonly TrashRecord[], now: Date): Promise<void> {
  if (trashed.length === 0) return;
  const holders = trashed.map(({ id, size_bytes, record }) => {
    const { raw_hash = null, attachments = [] } = record as Partial<MessageRecord>;
    return { id, size_bytes, raw_hash, attachments };
  });
  await freeBlobs(work, holders, now);
  const messages = trashed.filter(({ id }) => id.startsWith("msg_"));
  await uncountMessages(
    work,
    messages.map(({ record }) => record as MessageRecord),
  );
  await work.delete("trash", { id: { in: trashed.map(({ id }) => id) } });
  const groups = new Set(trashed.flatMap(({ group_id }) => group_id ?? []));
  for (const group_id of groups)
    if ((await work.count("trash", { group_id }, 1)) === 0) await work.delete("trash", { id: group_id });
}

/** Deletes for good some of what can be restored no longer; returns whether there may be more. */
export async function dropTrash(services: Services, now: Date): Promise<boolean> {
  const over = await services.storage.find("trash", {
    where: { restorable_until: { lte: iso(now) } },
    order: { by: "restorable_until", direction: "asc" },
    limit: PURGED_AT_ONCE,
  });
  await purgeOfAccounts(services, over, now);
  return over.length === PURGED_AT_ONCE;
}

/** Trash may be restored, or purged by another process, until the transaction reads it again. */
async function purgeOfAccounts(
  services: Services,
  trashed: readonly TrashRecord[],
  now: Date,
): Promise<void> {
  for (const [account_id, own] of Map.groupBy(trashed, (each) => each.account_id))
    await unitOfWork(services, account_id, now, async (work) => {
      const ids = own.map(({ id }) => id);
      await purgeTrash(
        work,
        await work.find("trash", { where: { id: { in: ids } }, limit: ids.length }),
        now,
      );
    });
}

/**
 * Makes room for `bytes` in the storage of the account's plan: where they don't fit, the oldest trash of more than 7
 * days goes first. Fails with `plan_limit_exceeded` if that isn't enough.
 */
export async function makeRoom(
  services: Services,
  account_id: string,
  bytes: number,
  now: Date,
): Promise<void> {
  for (;;) {
    try {
      return await checkStorage(services, account_id, bytes);
    } catch (error) {
      if (!(error instanceof LetterslotError) || error.code !== "plan_limit_exceeded") throw error;
      const oldest = await oldestTrash(services, account_id, now);
      if (oldest.length === 0) throw error;
      await purgeOfAccounts(services, oldest, now);
    }
  }
}

const MAX_SUB_ACCOUNTS = 1_000;

/** The oldest trash of an account and of all that share its plan, as far as it may go before its time. */
async function oldestTrash(
  { storage }: Pick<Services, "storage">,
  account_id: string,
  now: Date,
): Promise<TrashRecord[]> {
  const root = (await rootAccount(storage, account_id))?.id ?? account_id;
  const subs = await storage.find("accounts", {
    where: { parent_account_id: root },
    order: { by: "id", direction: "asc" },
    limit: MAX_SUB_ACCOUNTS,
  });
  const before = iso(new Date(now.getTime() - LIMITS.trash_kept_ms));
  const found = await Promise.all(
    [root, ...subs.map(({ id }) => id)].map((id) =>
      storage.find("trash", {
        where: { account_id: id, trashed_at: { lt: before } },
        order: { by: "trashed_at", direction: "asc" },
        limit: PURGED_AT_ONCE,
      }),
    ),
  );
  return found
    .flat()
    .toSorted((a, b) => (a.trashed_at < b.trashed_at ? -1 : 1))
    .slice(0, PURGED_AT_ONCE);
}
