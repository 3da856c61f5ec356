import type { DnsRecord, RecordPurpose } from "../../../model/domain-records.ts";

/** Seconds that resolvers may keep the records: an hour. */
const TTL_SECONDS = 3_600;
/** A string of a TXT record has at most 255 bytes (RFC 1035, section 3.3). */
const MAX_STRING_BYTES = 255;

const MEANINGS: Record<RecordPurpose, string> = {
  ownership: "proves that the domain is yours",
  mx: "mail for the domain arrives here",
  spf: "lets this service send for the domain",
  dkim: "verifies the signature of its mail",
  dmarc: "says what receivers do with mail that isn't yours",
  tls_reports: "tells others where to report connections that weren't secure",
  report_consent: "allows reports about other domains to come here",
  return_path: "mail that can't be delivered comes back here",
};

/**
 * Writes a domain's missing records as a zone file to import (RFC 1035, section 5). Existing records are left out;
 * where another record is in the way, a comment says what to change by hand.
 */
export function zoneFile({ domain, records }: { domain: string; records: readonly DnsRecord[] }): string {
  const open = records.filter(({ status }) => status !== "valid");
  const lines = [
    `; DNS records that ${domain} still lacks.`,
    "; Import this file at your DNS provider, or add the records by hand.",
    ...(open.length === 0 ? ["; Nothing is missing: every record is published."] : [`$TTL ${TTL_SECONDS}`]),
    ...open.flatMap((record) => ["", ...linesOf(record)]),
  ];
  return `${lines.join("\n")}\n`;
}

function linesOf(record: DnsRecord): string[] {
  const { purpose, required, status, found, hint } = record;
  const title = `; ${purpose}: ${MEANINGS[purpose]}${required ? " (required)" : ""}`;
  const line = `${record.name}.\t${TTL_SECONDS}\tIN\t${record.type}\t${dataOf(record)}`;
  if (status === "missing" && found.length === 0) return [title, line];
  // Importing the record beside the existing ones would make things worse.
  return [title, `; To change by hand: ${oneLine(hint ?? "")}`, `; ${line}`];
}

function dataOf({ type, value, priority }: DnsRecord): string {
  if (type === "TXT") return stringsOf(value).join(" ");
  return type === "MX" ? `${priority ?? 0} ${value}.` : `${value}.`;
}

/** A text as quoted strings; what isn't printable ASCII is written as its bytes. */
function stringsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const count = Math.max(1, Math.ceil(bytes.length / MAX_STRING_BYTES));
  return Array.from({ length: count }, (_, index) => {
    const part = bytes.subarray(index * MAX_STRING_BYTES, (index + 1) * MAX_STRING_BYTES);
    return `"${[...part].map(quoted).join("")}"`;
  });
}

function quoted(byte: number): string {
  const character = String.fromCharCode(byte);
  if (character === '"' || character === "\\") return `\\${character}`;
  return byte >= 0x20 && byte < 0x7f ? character : `\\${String(byte).padStart(3, "0")}`;
}

/** A comment ends with its line: no text found in the DNS may start a new one. */
const oneLine = (text: string): string => text.replace(/[\p{C}\u2028\u2029]+/gu, " ");
