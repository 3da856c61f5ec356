import { addressKey, canonicalAddress, withoutTag } from "../model/address.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { StorageReader } from "../ports/storage.ts";
import type { Services } from "./context.ts";
import { customDomain, isReceiving, isSending, mayBeAt, returnPathDomain } from "./custom-domains.ts";
import { domainOf, isOurDomain } from "./mail-domain.ts";

type Own = Pick<Services, "options">;

/**
 * Whether an address is outside this service: well-formed, neither at its domain nor below, nor at a custom domain
 * that receives here. Only such an address can be a person's who has a say, since no agent reads its mail.
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
  const own = domainOf(options.mail_domain);
  if (domain === own || domain.endsWith(`.${own}`)) return false;
  const custom = await customDomain(reader, domain);
  return custom === undefined || !isReceiving(custom);
}

/** Those of the records whose `email` is outside, in their order; each domain is looked up once. */
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

/** What the domain of an inbox does for the account of the inbox. */
export interface InboxDomain {
  /** The domain is the service's own, or a custom one that is proven and that the account may be at. */
  held: boolean;
  /** Mail for its addresses is taken. */
  receives: boolean;
  /** Mail from its addresses may leave. */
  sends: boolean;
  /** The domain that bounces come back to. */
  bounces_to: string;
}

/** What the domain of an inbox does now: all at the service's own; at a custom one what its records allow. */
export function inboxDomain(
  own: Own,
  reader: Pick<StorageReader, "get" | "find">,
  inbox: Pick<InboxRecord, "domain" | "account_id">,
): InboxDomain | Promise<InboxDomain> {
  const { mail_domain } = own.options;
  return isOurDomain(own, inbox.domain)
    ? { held: true, receives: true, sends: true, bounces_to: mail_domain }
    : customInboxDomain(mail_domain, reader, inbox);
}

async function customInboxDomain(
  mail_domain: string,
  reader: Pick<StorageReader, "get" | "find">,
  { domain, account_id }: Pick<InboxRecord, "domain" | "account_id">,
): Promise<InboxDomain> {
  const custom = await customDomain(reader, domain);
  if (custom === undefined || !(await mayBeAt(reader, custom, account_id)))
    return { held: false, receives: false, sends: false, bounces_to: mail_domain };
  return {
    held: true,
    receives: isReceiving(custom),
    sends: isSending(custom),
    bounces_to: returnPathDomain(custom) ?? mail_domain,
  };
}

/**
 * Whether this service itself delivers mail to an address: any at its own domain; at a custom one that receives,
 * an inbox's. All other mail leaves.
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

/** The inbox that mail to an address is for, with or without a tag after its name. */
async function inboxFor(reader: Pick<StorageReader, "get">, address: string) {
  const key = addressKey(address);
  for (const each of new Set([key, withoutTag(key)])) {
    const { inbox_id = null } = (await reader.get("addresses", each)) ?? {};
    if (inbox_id !== null) return reader.get("inboxes", inbox_id);
  }
  return undefined;
}
