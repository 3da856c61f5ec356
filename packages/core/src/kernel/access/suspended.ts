import { fail } from "../../catalogue/errors.ts";
import type { AccountRecord } from "../../model/accounts.ts";
import type { Services } from "../context.ts";
import { type AccountReader, rootOf } from "./root-account.ts";

/**
 * Whether an account's work stands still: the operator suspends it, or it was deleted. A sub-account is suspended
 * and deleted with its parent.
 */
export async function isSuspended(storage: AccountReader, account_id: string): Promise<boolean> {
  return (await stateOf(storage, account_id)) !== "open";
}

/**
 * Fails with `account_deleted`, or with `account_suspended` while the operator suspends the account. Reads the
 * account from the cache.
 */
export async function checkNotSuspended(
  services: Pick<Services, "storage" | "cachedRead">,
  account_id: string,
): Promise<void> {
  const state = await stateOf(cachedAccounts(services), account_id);
  if (state !== "open") throw fail(state);
}

/** Reads accounts from the cache: each call and each mail asks for one. */
export const cachedAccounts = ({
  storage,
  cachedRead,
}: Pick<Services, "storage" | "cachedRead">): AccountReader => ({
  get: (table, id) => cachedRead(`account ${id}`, ["accounts"], () => storage.get(table, id)),
});

/** The same for an account that was read with its parent, if it has one. */
export const standsStill = (account: AccountRecord | undefined, parent: AccountRecord | undefined): boolean =>
  account === undefined || standing(account, parent ?? account) !== "open";

type Standing = "open" | "account_suspended" | "account_deleted";

async function stateOf(storage: AccountReader, account_id: string): Promise<Standing> {
  const account = await storage.get("accounts", account_id);
  if (account === undefined) return "account_deleted";
  // Most accounts are their own root, and each call asks.
  return standing(account, account.parent_account_id === null ? account : await rootOf(storage, account));
}

function standing(account: AccountRecord, root: AccountRecord): Standing {
  if (account.deleted_at !== null || root.deleted_at !== null) return "account_deleted";
  return root.suspended_at === null ? "open" : "account_suspended";
}
