import type { DnsRecord, RecordPurpose } from "../../../model/domain-records.ts";

/** Whether every record that a domain can't be verified without is there. */
export const isProven = (records: readonly DnsRecord[]): boolean =>
  records.every(({ required, status }) => !required || status === "valid");

/**
 * Returns which directions of mail work with these records: receiving needs MX; sending needs DKIM, and SPF or the
 * return path.
 */
export function mailOf(records: readonly DnsRecord[]): { receiving: boolean; sending: boolean } {
  const has = (purpose: RecordPurpose) =>
    records.some((record) => record.purpose === purpose && record.status === "valid");
  return { receiving: has("mx"), sending: has("dkim") && (has("spf") || has("return_path")) };
}

/** Returns the status of a selector's DKIM record; undefined when no such record is wanted. */
export const dkimStatus = (
  records: readonly DnsRecord[],
  selector: string,
): DnsRecord["status"] | undefined =>
  records.find(({ purpose, name }) => purpose === "dkim" && name.startsWith(`${selector}._domainkey.`))
    ?.status;
