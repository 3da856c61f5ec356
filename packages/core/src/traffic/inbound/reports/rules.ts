import { REPORTS_NAME } from "../../../catalogue/own-addresses.ts";
import { addressKey, withoutTag } from "../../../model/address.ts";
import type { ReadDomainReport } from "../../../model/domain-reports.ts";
import type { MailAddress } from "../../../model/parsed-mail.ts";
import type { Origin } from "../rules.ts";

const DAY_MS = 24 * 3600_000;
/** Reports are about a day; some providers gather a week. */
const LONGEST_MS = 31 * DAY_MS;

const PACKED =
  /^application\/(?:gzip|x-gzip|zip|x-zip|x-zip-compressed|tlsrpt\+gzip|tlsrpt\+json|xml|json|octet-stream)$/;
const NAMED = /\.(?:gz|zip|xml|json)$/i;

/** Whether an address is the one that takes reports, at whatever domain. */
export function isReportsName(address: string): boolean {
  const plain = withoutTag(addressKey(address));
  return plain.slice(0, plain.lastIndexOf("@")) === REPORTS_NAME;
}

/**
 * The address whose domain a mail's reports are told by: the only author, in mail from outside that passes DMARC.
 * Undefined for mail whose reports nobody proves.
 */
export function reporterAddress(facts: {
  origin: Origin;
  dmarc: string;
  from: readonly MailAddress[];
}): string | undefined {
  const { origin, dmarc, from } = facts;
  const [author, ...others] = from;
  if ((origin !== "smtp" && origin !== "internal_path") || dmarc !== "pass" || others.length > 0)
    return undefined;
  return author?.address;
}

/** Whether a DNS error left open who tells the reports of a mail, which may pass DMARC when it comes again. */
export const mayPassLater = ({
  origin,
  authentication: { spf, dkim, dmarc },
  from,
}: {
  origin: Origin;
  authentication: { spf: string; dkim: string; dmarc: string };
  from: readonly MailAddress[];
}): boolean =>
  dmarc !== "pass" &&
  [spf, dkim, dmarc].includes("temperror") &&
  reporterAddress({ origin, dmarc: "pass", from }) !== undefined;

/** Whether a file may be a report. */
export const mayBeReport = ({
  filename,
  content_type,
}: {
  filename: string;
  content_type: string;
}): boolean => PACKED.test(content_type) || content_type === "text/xml" || NAMED.test(filename);

/** Whether a report's period can be true: it begins before it ends, lasts at most a month, is neither older than reports are kept nor ahead. */
export function isPlausible(
  { period }: Pick<ReadDomainReport, "period">,
  { now, kept_ms }: { now: number; kept_ms: number },
): boolean {
  const [from, to] = [Date.parse(period.from), Date.parse(period.to)];
  return from <= to && to - from <= LONGEST_MS && from >= now - kept_ms && to <= now + DAY_MS;
}
