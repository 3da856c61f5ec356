import { isId } from "../../catalogue/ids.ts";
import type { AccountRecord } from "../../model/accounts.ts";
import { addressKey } from "../../model/address.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { cachedAccounts } from "../access/suspended.ts";
import { addressAt } from "../addresses/mail-domain.ts";
import type { Services } from "../context.ts";

/**
 * Finds an account's inbox by id or, with `by_name`, by address or username. Undefined when it isn't the account's.
 * Whether it is another account's or nobody's, the reads are the same, so that timing reveals nothing.
 */
export async function findInbox(
  { storage, cachedRead, options }: Pick<Services, "storage" | "cachedRead" | "options">,
  account_id: string,
  named: string,
  by_name: boolean,
): Promise<InboxRecord | undefined> {
  const ownInbox = async (id: string) =>
    (await storage.find("inboxes", { where: { id, account_id }, limit: 1 }))[0];
  if (isId("inb", named)) return cachedRead(`${named} of ${account_id}`, ["inboxes"], () => ownInbox(named));
  if (!by_name) return undefined;
  const address = addressKey(named.includes("@") ? named : addressAt({ options }, named));
  return cachedRead(`inbox at ${address} of ${account_id}`, ["addresses", "inboxes"], async () =>
    ownInbox((await storage.get("addresses", address))?.inbox_id ?? ""),
  );
}

/** Finds an account's inbox in the trash by its id. Only what restores it or deletes it for good may. */
export async function findTrashedInbox(
  { storage }: Pick<Services, "storage">,
  account_id: string,
  id: string,
): Promise<InboxRecord | undefined> {
  const trashed = await storage.get("trashed_inboxes", id);
  return trashed?.account_id === account_id ? trashed.record : undefined;
}

/** Finds the inbox that currently has exactly this address. */
export function inboxByAddress(
  { storage, cachedRead }: Pick<Services, "storage" | "cachedRead">,
  address: string,
): InboxRecord | Promise<InboxRecord | undefined> {
  const read = async () => {
    const { inbox_id = null } = (await storage.get("addresses", address)) ?? {};
    return inbox_id === null ? undefined : storage.get("inboxes", inbox_id);
  };
  return cachedRead(`inbox at ${address}`, ["addresses", "inboxes"], read);
}

/** An inbox with the records needed to receive mail at its address. */
export interface AddressedInbox {
  inbox: InboxRecord;
  account: AccountRecord | undefined;
  /** The account of the workspace's owner, if the account is a sub-account. */
  parent: AccountRecord | undefined;
}

/**
 * Finds the inbox that currently has exactly this address, with the accounts that it belongs to. Where records are
 * cached, each is read by itself, because accounts change with each mail and the others hardly ever; otherwise one
 * statement reads them all.
 */
export async function addressedInbox(
  services: Pick<Services, "storage" | "cachedRead">,
  address: string,
): Promise<AddressedInbox | undefined> {
  const { storage } = services;
  if (storage.version === undefined) {
    const [, inbox, account, parent] = await storage.follow("addresses", address, [
      ["inbox_id", "inboxes"],
      ["account_id", "accounts"],
      ["parent_account_id", "accounts"],
    ]);
    return inbox && { inbox, account, parent };
  }
  const inbox = await inboxByAddress(services, address);
  if (inbox === undefined) return undefined;
  const accounts = cachedAccounts(services);
  const account = await accounts.get("accounts", inbox.account_id);
  const parent_id = account?.parent_account_id ?? null;
  return {
    inbox,
    account,
    parent: parent_id === null ? undefined : await accounts.get("accounts", parent_id),
  };
}

/**
 * Returns the ids of the records' inboxes that still exist. Records of a deleted inbox are purged later, and not shown.
 */
export async function openInboxes(
  storage: StorageReader,
  records: readonly { inbox_id: string }[],
): Promise<Set<string>> {
  const ids = [...new Set(records.map(({ inbox_id }) => inbox_id))];
  const inboxes =
    ids.length === 0 ? [] : await storage.find("inboxes", { where: { id: { in: ids } }, limit: ids.length });
  return new Set(inboxes.map(({ id }) => id));
}
