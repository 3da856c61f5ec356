import { rootAccount } from "../../kernel/access/root-account.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { Decisions } from "../../model/message-facts.ts";
import type { StorageReader } from "../../ports/storage.ts";

/** Whether an inbox of the same account, its parent or its workspaces sent a mail within this service, or that itself did. */
export async function isOwn(
  storage: Pick<StorageReader, "get">,
  { account_id }: Pick<InboxRecord, "account_id">,
  { origin, sent_by }: Decisions,
): Promise<boolean> {
  if (sent_by === undefined) return origin === "internal";
  const [theirs, ours] = await Promise.all([
    rootAccount(storage, sent_by.account_id),
    rootAccount(storage, account_id),
  ]);
  return theirs?.id === ours?.id;
}
