import type { AccountRecord } from "../model/accounts.ts";
import type { StorageWriter } from "../ports/storage.ts";

/**
 * Counts the bytes that a sub-account has just stored, or freed where negative, for its parent too: its plan
 * limits both together. Costs nothing for other accounts.
 */
export function countForParent(
  tx: Pick<StorageWriter, "update">,
  account: Pick<AccountRecord, "parent_account_id"> | undefined,
  bytes: number,
): Promise<unknown> | undefined {
  if (account === undefined || account.parent_account_id === null || bytes === 0) return undefined;
  return tx.update("accounts", { id: account.parent_account_id }, { sub_account_bytes: { add: bytes } });
}
