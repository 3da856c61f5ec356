import { fail } from "../catalogue/errors.ts";
import type { StorageReader } from "../ports/storage.ts";
import { rootAccount } from "./root-account.ts";

type Reader = Pick<StorageReader, "get">;

/** Whether the operator suspends an account; a sub-account is suspended with its parent. */
export async function isSuspended(storage: Reader, account_id: string): Promise<boolean> {
  const account = await rootAccount(storage, account_id);
  return account !== undefined && account.suspended_at !== null;
}

/** Fails with `account_suspended` while the operator suspends the account. */
export async function checkNotSuspended(storage: Reader, account_id: string): Promise<void> {
  if (await isSuspended(storage, account_id)) throw fail("account_suspended");
}
