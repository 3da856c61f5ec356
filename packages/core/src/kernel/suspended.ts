import { fail } from "../catalogue/errors.ts";
import type { AccountRecord } from "../model/accounts.ts";
import type { StorageReader } from "../ports/storage.ts";
import type { Services } from "./context.ts";

type FindAccount = (id: string) => Promise<AccountRecord | undefined>;

/**
 * Whether an account's work stands still: the operator suspends it, or it was deleted. A sub-account is suspended
 * and deleted with its parent.
 */
export async function isSuspended(storage: Pick<StorageReader, "get">, account_id: string): Promise<boolean> {
  return (await stateOf((id) => storage.get("accounts", id), account_id)) !== "open";
}

/**
 * Fails with `account_deleted`, or with `account_suspended` while the operator suspends the account. Each call asks,
 * so the account is read from the cache.
 */
export async function checkNotSuspended(
  { storage, cachedRead }: Pick<Services, "storage" | "cachedRead">,
  account_id: string,
): Promise<void> {
  const find: FindAccount = (id) => cachedRead(`account ${id}`, () => storage.get("accounts", id));
  const state = await stateOf(find, account_id);
  if (state !== "open") throw fail(state);
}

async function stateOf(
  find: FindAccount,
  account_id: string,
): Promise<"open" | "account_suspended" | "account_deleted"> {
  const account = await find(account_id);
  if (account === undefined) return "account_deleted";
  const { parent_account_id } = account;
  const root = parent_account_id === null ? account : ((await find(parent_account_id)) ?? account);
  if (account.deleted_at !== null || root.deleted_at !== null) return "account_deleted";
  return root.suspended_at === null ? "open" : "account_suspended";
}
