import { addressKey, canonicalAddress, withoutTag } from "../../model/address.ts";
import { OUTSIDE } from "../../model/allowlist.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { rootAccount } from "../access/root-account.ts";
import type { Services } from "../context.ts";
import {
  customDomain,
  isReceiving,
  isSending,
  mayBeAt,
  receivesLater,
  returnPathDomain,
} from "./custom-domains.ts";
import { domainOf, isOurDomain } from "./mail-domain.ts";

type Own = Pick<Services, "options">;

/**
 * Whether an address is outside this service: well-formed, neither at the service's domain or below it nor at a custom
 * domain that receives here. Only such an address can belong to a person who has a say, since no agent reads its mail.
 */
export async function isOutside(
  own: Own,
  reader: Pick<StorageReader, "get">,
  address: string,
): Promise<boolean> {
  const canonical = canonicalAddress(address);
  return canonical !== undefined && isOutsideDomain(own, reader, domainOf(canonical));
}

async function isOutsideDomain(
  { options }: Own,
  reader: Pick<StorageReader, "get">,
  domain: string,
): Promise<boolean> {
  const own = domainOf(options.mailDomain);
  if (domain === own || domain.endsWith(`.${own}`)) return false;
  const custom = await customDomain(reader, domain);
  return custom === undefined || !isReceiving(custom);
}

/** Returns the records whose `email` is outside, in the same order; looks up each domain once. */
export async function outsideOf<R extends { email: string }>(
  own: Own,
  reader: Pick<StorageReader, "get">,
  records: readonly R[],
): Promise<R[]> {
  const domainsOf = ({ email }: R) => {
    const canonical = canonicalAddress(email);
    return canonical === undefined ? [] : [domainOf(canonical)];
  };
  const outside = new Set<string>();
  await Promise.all(
    [...new Set(records.flatMap(domainsOf))].map(async (domain) => {
      if (await isOutsideDomain(own, reader, domain)) outside.add(domain);
    }),
  );
  return records.filter((record) => domainsOf(record).some((domain) => outside.has(domain)));
}

/** The abilities that an inbox's domain has for the inbox's account. */
export interface InboxDomain {
  /** The domain is the service's own, or a custom one that is proven and that the account may be at. */
  held: boolean;
  /** Mail for its addresses is taken. */
  receives: boolean;
  /** Mail for its addresses is deferred at that time, to give people at the domain notice. */
  receives_later: (now: Date) => boolean;
  /** Mail from its addresses may leave. */
  sends: boolean;
  /** The domain that bounces come back to. */
  bounces_to: string;
}

/**
 * Returns the current abilities of an inbox's domain: all of them at the service's own; at a custom one, those that its
 * records allow.
 */
export function inboxDomain(
  own: Own,
  reader: Pick<StorageReader, "get" | "find">,
  inbox: Pick<InboxRecord, "domain" | "account_id">,
): InboxDomain | Promise<InboxDomain> {
  const { mailDomain: mail_domain } = own.options;
  return isOurDomain(own, inbox.domain)
    ? { held: true, receives: true, receives_later: never, sends: true, bounces_to: mail_domain }
    : customInboxDomain(mail_domain, reader, inbox);
}

const never = () => false;

async function customInboxDomain(
  mail_domain: string,
  reader: Pick<StorageReader, "get" | "find">,
  { domain, account_id }: Pick<InboxRecord, "domain" | "account_id">,
): Promise<InboxDomain> {
  const custom = await customDomain(reader, domain);
  if (custom === undefined || !(await mayBeAt(reader, custom, account_id)))
    return { held: false, receives: false, receives_later: never, sends: false, bounces_to: mail_domain };
  return {
    held: true,
    receives: isReceiving(custom),
    receives_later: (now) => receivesLater(custom, now),
    sends: isSending(custom),
    bounces_to: returnPathDomain(custom) ?? mail_domain,
  };
}

/**
 * Whether this service itself delivers mail to an address: every address at its own domain, and inboxes at a custom
 * domain that receives. All other mail leaves.
 */
export async function isDeliveredHere(
  own: Own,
  reader: Pick<StorageReader, "get" | "find">,
  address: string,
): Promise<boolean> {
  if (isOurDomain(own, domainOf(address))) return true;
  const inbox = await inboxFor(reader, address);
  return inbox !== undefined && (await inboxDomain(own, reader, inbox)).receives;
}

/**
 * Resolves a new list entry: to the id of the inbox that its address is delivered to here, else to `outside`. This way
 * the entry never comes to mean someone else when that inbox is deleted, or when an inbox takes an address that used to
 * be outside.
 */
export async function namedByEntry(
  own: Own,
  reader: Pick<StorageReader, "get" | "find">,
  entry: string,
): Promise<string> {
  const { inbox_id = null } = entry.includes("@") ? ((await reader.get("addresses", entry)) ?? {}) : {};
  const inbox = inbox_id === null ? undefined : await reader.get("inboxes", inbox_id);
  return inbox !== undefined && (await inboxDomain(own, reader, inbox)).receives ? inbox.id : OUTSIDE;
}

/** Whether a domain is the proven one of an account or of its parent. */
export async function isDomainOfRoot(
  reader: Pick<StorageReader, "get">,
  domain: string,
  account_id: string,
): Promise<boolean> {
  const custom = await customDomain(reader, domain);
  if (custom === undefined) return false;
  const [holder, root] = await Promise.all([
    rootAccount(reader, custom.account_id),
    rootAccount(reader, account_id),
  ]);
  return holder !== undefined && holder.id === root?.id;
}

/** Returns the inbox that receives mail for an address, with or without a tag after its name. */
async function inboxFor(reader: Pick<StorageReader, "get">, address: string) {
  const key = addressKey(address);
  for (const each of new Set([key, withoutTag(key)])) {
    const { inbox_id = null } = (await reader.get("addresses", each)) ?? {};
    if (inbox_id !== null) return reader.get("inboxes", inbox_id);
  }
  return undefined;
}
