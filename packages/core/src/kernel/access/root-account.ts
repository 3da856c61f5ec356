import type { AccountRecord } from "../../model/accounts.ts";
import type { StorageReader } from "../../ports/storage.ts";

/** Reads accounts: a storage, a transaction, or a cache of one. */
export interface AccountReader {
  get(table: "accounts", id: string): AccountRecord | Promise<AccountRecord | undefined>;
}

/**
 * The account whose plan, claim, suspension and first owner's address count for an account: its parent if it
 * is the sub-account of a workspace, else itself. Undefined when there is no such account.
 */
export async function rootAccount(
  storage: AccountReader,
  account_id: string,
): Promise<AccountRecord | undefined> {
  const account = await storage.get("accounts", account_id);
  return account && rootOf(storage, account);
}

/** The same for an account that was read already: without a parent nothing is read. */
export async function rootOf(storage: AccountReader, account: AccountRecord): Promise<AccountRecord> {
  const { parent_account_id } = account;
  if (parent_account_id === null) return account;
  return (await storage.get("accounts", parent_account_id)) ?? account;
}

const PAGE = 200;

/** The sub-accounts of an account's workspaces. */
export async function subAccountsOf(
  storage: Pick<StorageReader, "find">,
  account_id: string,
): Promise<string[]> {
  const accounts: string[] = [];
  let after = "";
  for (;;) {
    const workspaces = await storage.find("workspaces", {
      where: { parent_account_id: account_id, id: { gt: after } },
      order: { by: "id", direction: "asc" },
      limit: PAGE,
    });
    accounts.push(...workspaces.map((workspace) => workspace.account_id));
    const last = workspaces.at(-1);
    if (last === undefined || workspaces.length < PAGE) return accounts;
    after = last.id;
  }
}
