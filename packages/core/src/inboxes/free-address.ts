import { hasAuthority } from "../kernel/authority.ts";
import type { Services } from "../kernel/context.ts";
import { addressAt } from "../kernel/mail-domain.ts";
import type { StorageReader } from "../ports/storage.ts";

type Reader = Pick<StorageReader, "get" | "find">;

/**
 * Whether an account can have an address as an inbox: it is not another inbox's, was never another account's,
 * and no person with a say anywhere in the service has it.
 */
export async function isFreeAddress(reader: Reader, address: string, account_id: string): Promise<boolean> {
  const issued = await reader.get("addresses", address);
  const free = issued === undefined || (issued.account_id === account_id && issued.inbox_id === null);
  return free && !(await isPersonsAddress(reader, address));
}

/**
 * Whether an address, in its canonical form, is a verified owner's of any inbox, or holds authority anywhere:
 * whoever got it as an inbox would read that person's letters.
 */
export async function isPersonsAddress(reader: Reader, address: string): Promise<boolean> {
  const [owner] = await reader.find("owners", { where: { email: address, status: "verified" }, limit: 1 });
  return owner !== undefined || (await hasAuthority(reader, address));
}

/** Addresses that the service itself writes from or receives at, which an older version gave to anybody. */
const SERVICE_NAMES = ["no-reply", "r"];

/** Whether an address, in its canonical form, is one of the service's own, which no inbox can have. */
export const isServiceAddress = (own: Pick<Services, "options">, address: string): boolean =>
  SERVICE_NAMES.some((name) => addressAt(own, name) === address);

/**
 * The service's own addresses that an inbox holds. With one of them the service can't start: who reads that
 * inbox would read owners' replies.
 */
export async function inboxesAtServiceAddresses({
  storage,
  options,
}: Pick<Services, "storage" | "options">): Promise<string[]> {
  const addresses = SERVICE_NAMES.map((name) => addressAt({ options }, name));
  const issued = await Promise.all(addresses.map((address) => storage.get("addresses", address)));
  return addresses.filter((_, index) => issued[index]?.inbox_id != null);
}
