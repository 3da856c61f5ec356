import { fail } from "../../catalogue/errors.ts";
import type { DomainRecord, WrittenDnsRecord } from "../../model/domains.ts";
import { iso } from "../../model/fields.ts";
import type { StorageReader, StorageWriter } from "../../ports/storage.ts";
import type { Services } from "../context.ts";
import type { Work } from "../work.ts";
import { domainOf } from "./mail-domain.ts";

type Reader = Pick<StorageReader, "get">;

/**
 * The custom domain of this name, in A-labels and lower case, of the one account that has proven it; undefined
 * while none has.
 */
export async function customDomain(reader: Reader, name: string): Promise<DomainRecord | undefined> {
  const proven = await reader.get("proven_domains", name);
  return proven && reader.get("domains", proven.domain_id);
}

/**
 * The custom domain that a new inbox of an account may be at: its own, or its parent's if that lists the workspace.
 * Its row is written, so that who deletes the domain at the same time waits and finds the inbox. Fails with
 * `domain_not_found`, and with `domain_not_verified` until it is verified.
 */
export async function domainForInboxes(
  reader: Pick<StorageWriter, "get" | "find" | "update">,
  { account_id, domain: named }: { account_id: string; domain: string },
): Promise<DomainRecord> {
  const domain = domainOf(named);
  const holder = await customDomain(reader, domain);
  if (holder !== undefined && (await mayBeAt(reader, holder, account_id))) {
    const [held] = await reader.update("domains", { id: holder.id }, { attempt: { add: 0 } });
    if (held !== undefined && isWorking(held)) return held;
    throw fail("domain_not_verified", { param: "domain" });
  }
  const [own] = await reader.find("domains", { where: { account_id, domain }, limit: 1 });
  throw fail(own === undefined ? "domain_not_found" : "domain_not_verified", { param: "domain" });
}

/** Whether the inboxes of an account may be at a domain: it is its own, or its parent's that lists it. */
export async function mayBeAt(
  reader: Pick<StorageReader, "find">,
  { account_id: holder, workspace_ids }: Pick<DomainRecord, "account_id" | "workspace_ids">,
  account_id: string,
): Promise<boolean> {
  if (holder === account_id) return true;
  if (workspace_ids.length === 0) return false;
  const [workspace] = await reader.find("workspaces", { where: { account_id }, limit: 1 });
  return workspace?.parent_account_id === holder && workspace_ids.includes(workspace.id);
}

/** Whether a domain was verified, even if one of its records is gone since. */
export const isWorking = ({ status }: Pick<DomainRecord, "status">): boolean =>
  status === "verified" || status === "degraded";

/** Whether mail for addresses of a domain is taken. */
export const isReceiving = (domain: Pick<DomainRecord, "status" | "mail">): boolean =>
  isWorking(domain) && domain.mail.receiving;

/** Whether mail for addresses of a domain is put off: people there were told, and are given time. */
export const receivesLater = (
  domain: Pick<DomainRecord, "status" | "mail" | "receiving_from">,
  now: Date,
): boolean => isWorking(domain) && !domain.mail.receiving && (domain.receiving_from ?? "") > iso(now);

/** Whether mail from addresses of a domain passes the checks of others. */
export const isSending = (domain: Pick<DomainRecord, "status" | "mail">): boolean =>
  isWorking(domain) && domain.mail.sending;

/** A domain has seven records at most, and those of a rotation. */
const MAX_WRITTEN = 100;

/** The records that the service has written for a domain. */
export const writtenFor = (reader: Pick<StorageReader, "find">, domain_id: string) =>
  reader.find("written_dns_records", { where: { domain_id }, limit: MAX_WRITTEN });

/**
 * Takes away, with a domain that is being deleted, the notes of whom its letters went to and of what the service wrote to
 * its zone, and queues a job that removes those records from there. Returns them.
 */
export async function leaveZone(
  work: Pick<Work, "find" | "delete" | "job">,
  { id, account_id, domain, sealed_dns_access }: DomainRecord,
  due_at: Date,
): Promise<WrittenDnsRecord[]> {
  const written = await writtenFor(work, id);
  await work.delete("written_dns_records", { domain_id: id });
  await work.delete("receiving_notices", { domain_id: id });
  await work.delete("domain_reports", { domain_id: id });
  const payload = { account_id, domain, sealed_dns_access, written };
  if (sealed_dns_access !== null && written.length > 0)
    work.job({ kind: "domain.clear", subject_id: id, payload, due_at });
  return written;
}

/** The key that signs a domain's mail: `private_key` is PEM (PKCS #8), and secret. */
export const signingKey = (
  { seal }: Pick<Services, "seal">,
  { dkim_selector, sealed_dkim_key }: Pick<DomainRecord, "dkim_selector" | "sealed_dkim_key">,
): { selector: string; private_key: string } => ({
  selector: dkim_selector,
  private_key: seal.open(sealed_dkim_key),
});

/** The name at which a domain's bounces come in; undefined while its record isn't valid. */
export const returnPathDomain = ({
  domain,
  records,
  mail_from_subdomain,
}: Pick<DomainRecord, "domain" | "records" | "mail_from_subdomain">): string | undefined =>
  records.some(({ purpose, status }) => purpose === "return_path" && status === "valid")
    ? `${mail_from_subdomain}.${domain}`
    : undefined;
