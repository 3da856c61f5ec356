import { isId } from "../../catalogue/ids.ts";
import type { AccountRecord } from "../../model/accounts.ts";
import { addressKey } from "../../model/address.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { StorageReader } from "../../ports/storage.ts";
import type { Services } from "../context.ts";
import { addressAt } from "../mail-domain.ts";
import { cachedAccounts } from "../suspended.ts";

/**
 * An account's inbox by id or, with `by_name`, by address or username. Undefined when it isn't the account's.
 */
export async function findInbox(
  { storage, cachedRead, options }: Pick<Services, "storage" | "cachedRead" | "options">,
  account_id: string,
  named: string,
  by_name: boolean,
): Promise<InboxRecord | undefined> {
  if (isId("inb", named)) return ofAccount(await cachedInbox({ storage, cachedRead }, named), account_id);
  if (!by_name) return undefined;
  const inbox = await inboxByAddress(
    { storage, cachedRead },
    addressKey(named.includes("@") ? named : addressAt({ options }, named)),
  );
  return ofAccount(inbox, account_id);
}

/** The inbox that currently has exactly this address. */
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

const cachedInbox = ({ storage, cachedRead }: Pick<Services, "storage" | "cachedRead">, id: string) =>
  cachedRead(id, ["inboxes"], () => storage.get("inboxes", id));

/** What mail to an address needs to know of it. */
export interface AddressedInbox {
  inbox: InboxRecord;
  account: AccountRecord | undefined;
  /** The account of the workspace's owner, if the account is a sub-account. */
  parent: AccountRecord | undefined;
}

/**
 * The inbox that currently has exactly this address, with the accounts that it belongs to. Where records are cached, each by
 * itself: accounts change with each mail, and the others hardly ever. Otherwise in one statement.
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

const ofAccount = (inbox: InboxRecord | undefined, account_id: string) =>
  inbox?.account_id === account_id ? inbox : undefined;

/**
 * The ids of the records' inboxes that still exist. Records of a deleted inbox are purged later, and not
 * shown.
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
