import { isId } from "../../catalogue/ids.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { Services } from "../context.ts";

/**
 * An account's inbox by id or, where the caller may, by address or bare username of the mail domain;
 * undefined when it's not the account's.
 */
export async function findInbox(
  { storage, cachedRead, options }: Pick<Services, "storage" | "cachedRead" | "options">,
  account_id: string,
  named: string,
  by_name: boolean,
): Promise<InboxRecord | undefined> {
  if (isId("inb", named))
    return ofAccount(await cachedRead(named, () => storage.get("inboxes", named)), account_id);
  if (!by_name) return undefined;
  const name = named.toLowerCase();
  const inbox = await inboxByAddress(
    { storage, cachedRead },
    name.includes("@") ? name : `${name}@${options.mail_domain}`,
  );
  return ofAccount(inbox, account_id);
}

/** The inbox that has exactly this address now. */
export async function inboxByAddress(
  { storage, cachedRead }: Pick<Services, "storage" | "cachedRead">,
  address: string,
): Promise<InboxRecord | undefined> {
  const { inbox_id = null } =
    (await cachedRead(`address ${address}`, () => storage.get("addresses", address))) ?? {};
  return inbox_id === null ? undefined : cachedRead(inbox_id, () => storage.get("inboxes", inbox_id));
}

const ofAccount = (inbox: InboxRecord | undefined, account_id: string) =>
  inbox?.account_id === account_id ? inbox : undefined;
