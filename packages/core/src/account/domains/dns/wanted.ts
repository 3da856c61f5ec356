import { createHash } from "node:crypto";
import { REPORTS_NAME } from "../../../catalogue/own-addresses.ts";
import type { WantedRecord } from "../../../model/domain-records.ts";

/** The label that the proof of ownership stands at. */
export const OWNERSHIP_LABEL = "_letterslot";
/** The prefix of every ownership proof. */
export const OWNERSHIP_PREFIX = "letterslot-verification=";
const MX_PRIORITY = 10;
const DMARC_POLICY = "v=DMARC1; p=none";
/** Allows reports about any domain to be sent to the service's own (RFC 9989, external destinations). */
const REPORT_CONSENT = "v=DMARC1";

/** A DKIM key to publish: its selector, and the whole text of its record. */
export interface PublishedKey {
  selector: string;
  value: string;
}

/** The facts that determine the records of a custom domain. */
export interface WantedFacts {
  domain: string;
  /** The service's own domain, whose mail hosts and SPF record the custom domain refers to. */
  mail_domain: string;
  /** The text that proves ownership, of `ownershipValue`. */
  ownership: string;
  /** The key that signs, and during a rotation the next or the one before it, which aren't required. */
  dkim: readonly PublishedKey[];
  /** The subdomain that bounces come back to, such as `ls-bounce`. */
  return_path: string;
}

/** The text that proves that an account owns a domain. It tells nobody which account that is. */
export function ownershipValue(account_id: string, domain: string): string {
  const hash = createHash("sha256").update(`${account_id} ${domain}`).digest("base64url");
  return `${OWNERSHIP_PREFIX}${hash}`;
}

/** The text of a DKIM record for an RSA key, given as Base64 of its SubjectPublicKeyInfo (RFC 6376, 3.6.1). */
export const dkimValue = (public_key: string): string => `v=DKIM1; k=rsa; p=${public_key}`;

/** The SPF record of a domain that has none. */
export const spfValue = (mail_domain: string): string => `v=spf1 include:${mail_domain} ~all`;

/** The records that a custom domain wants, as they are to be published. */
export function wantedRecords(facts: WantedFacts): WantedRecord[] {
  const { domain, mail_domain, ownership, dkim, return_path } = facts;
  return [
    wanted("ownership", "TXT", `${OWNERSHIP_LABEL}.${domain}`, ownership, { required: true }),
    ...dkim.map(({ selector, value }, index) => dkimRecord(domain, selector, value, index === 0)),
    wanted("mx", "MX", domain, mail_domain, { priority: MX_PRIORITY }),
    wanted("spf", "TXT", domain, spfValue(mail_domain)),
    wanted("return_path", "CNAME", `${return_path}.${domain}`, mail_domain),
    wanted("dmarc", "TXT", `_dmarc.${domain}`, `${DMARC_POLICY}; rua=${reportsAt(mail_domain)}`),
    wanted("tls_reports", "TXT", `_smtp._tls.${domain}`, `v=TLSRPTv1; rua=${reportsAt(mail_domain)}`),
  ];
}

const reportsAt = (mail_domain: string): string => `mailto:${REPORTS_NAME}@${mail_domain}`;

/**
 * The records that the service's own domain wants. Its SPF record names its MX hosts; whoever sends through a
 * relay names the relay too.
 */
export function serviceRecords(facts: { mail_domain: string; dkim: PublishedKey }): WantedRecord[] {
  const { mail_domain, dkim } = facts;
  return [
    dkimRecord(mail_domain, dkim.selector, dkim.value, true),
    wanted("mx", "MX", mail_domain, mail_domain, { priority: MX_PRIORITY, required: true }),
    wanted("spf", "TXT", mail_domain, "v=spf1 mx ~all", { required: true }),
    wanted("dmarc", "TXT", `_dmarc.${mail_domain}`, DMARC_POLICY),
    wanted("report_consent", "TXT", `*._report._dmarc.${mail_domain}`, REPORT_CONSENT),
  ];
}

const dkimRecord = (domain: string, selector: string, value: string, required: boolean): WantedRecord =>
  wanted("dkim", "TXT", `${selector}._domainkey.${domain}`, value, { required });

const wanted = (
  purpose: WantedRecord["purpose"],
  type: WantedRecord["type"],
  name: string,
  value: string,
  { priority = null, required = false }: Partial<Pick<WantedRecord, "priority" | "required">> = {},
): WantedRecord => ({ purpose, type, name, value, priority, required });
