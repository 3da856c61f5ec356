import { hasAuthority } from "../kernel/authority.ts";
import type { Services } from "../kernel/context.ts";
import { customDomain, mayBeAt } from "../kernel/custom-domains.ts";
import { addressAt, domainOf } from "../kernel/mail-domain.ts";
import { rootAccount } from "../kernel/root-account.ts";
import type { AddressRecord } from "../model/inboxes.ts";
import type { StorageReader } from "../ports/storage.ts";

type Reader = Pick<StorageReader, "get" | "find">;

/**
 * Whether an account can have an address as an inbox: it is not another inbox's, was never another account's that
 * may still be at its domain, and no person with a say anywhere in the service has it.
 */
export async function isFreeAddress(reader: Reader, address: string, account_id: string): Promise<boolean> {
  const issued = await reader.get("addresses", address);
  const free =
    issued === undefined ||
    (issued.account_id === account_id && issued.inbox_id === null) ||
    (await hasLostAddress(reader, issued));
  return free && !(await isPersonsAddress(reader, address));
}

/**
 * Whether an account has lost an address for good: it is at a custom domain that an account with which it has
 * nothing to do has proven since.
 */
export async function hasLostAddress(
  reader: Reader,
  { address, account_id }: Pick<AddressRecord, "address" | "account_id">,
): Promise<boolean> {
  const custom = await customDomain(reader, domainOf(address));
  if (custom === undefined || (await mayBeAt(reader, custom, account_id))) return false;
  const [before, now] = await Promise.all([
    rootAccount(reader, account_id),
    rootAccount(reader, custom.account_id),
  ]);
  return (before?.id ?? account_id) !== (now?.id ?? custom.account_id);
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
