import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { DnsRecord, DomainWarning } from "../../model/domain-records.ts";
import type { DomainRecord } from "../../model/domains.ts";
import { iso } from "../../model/fields.ts";
import { dkimStatus, isProven, mailOf } from "./dns/rules.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The times at which a verification checks after it began, before it changes to hourly checks. */
const FIRST_CHECKS_MS = [1, 5, 15].map((minutes) => minutes * MINUTE_MS);

/** The findings of a check of a domain's records. */
export interface Findings {
  records: DnsRecord[];
  warnings: DomainWarning[];
  /** Some look-ups failed, so records that seem missing may exist. */
  trouble: boolean;
}

/** The account's standing with regard to the domain, apart from the DNS records. */
export interface Standing {
  /** The account is the one that has proven the domain. */
  holds: boolean;
  /** Receiving mail for the domain would leave the account with nobody who has authority. */
  nobody_left: boolean;
  /** The time from which mail for the domain may be accepted, if people have addresses there; otherwise null. */
  receiving_from: string | null;
}

/** The outcome of a check for the domain. */
export interface Judgement {
  change: Partial<DomainRecord>;
  /** The time of the next check; null for none. */
  next: Date | null;
  /** It is verified for the first time. */
  verified: boolean;
  /** It was verified, and one of its required records has been gone for a day. */
  degraded: boolean;
  /** The account doesn't hold it any more. */
  released: boolean;
}

/** Judges a domain after a check. Trouble with the DNS changes nothing, except that it ends a verification. */
export function judge(domain: DomainRecord, found: Findings, standing: Standing, now: Date): Judgement {
  const { records, trouble } = found;
  const proven = isProven(records);
  const missing_since = (since: string | null, there: boolean): string | null => {
    if (there) return null;
    return trouble ? since : (since ?? iso(now));
  };
  const gone = {
    missing_since: domain.verified_at === null ? null : missing_since(domain.missing_since, proven),
    ownership_missing_since: missing_since(domain.ownership_missing_since, isOwned(records)),
  };
  const status = statusAfter({ ...domain, ...gone }, { proven: proven && standing.holds, ...found }, now);
  const rotated = rotate(domain, records, now);
  const receiving_from = isLive(status) ? standing.receiving_from : null;
  /** When receiving begins, if it is still to come. */
  const begins =
    !domain.mail.receiving && receiving_from !== null && receiving_from > iso(now) ? receiving_from : null;
  const warnings = [
    ...found.warnings,
    ...(isOwned(records) && !standing.holds ? [TAKEN] : []),
    ...(standing.nobody_left ? [OWNER_AT_DOMAIN] : []),
    ...(begins !== null && !standing.nobody_left ? [peopleAtDomain(begins)] : []),
  ];
  const verified_at = status === "verified" ? (domain.verified_at ?? iso(now)) : domain.verified_at;
  const change = {
    ...{ status, warnings, verified_at, ...gone, ...rotated, receiving_from },
    records: begins === null ? records : records.map((record) => withDate(record, begins)),
    mail: mailAfter({ ...domain, status }, records, { ...standing, waits: begins !== null }),
    checked_at: iso(now),
  };
  const next = nextCheck({ ...domain, ...change }, trouble, now);
  return {
    change: { ...change, next_check_at: next && iso(next) },
    next,
    verified: status === "verified" && domain.verified_at === null,
    degraded: status === "degraded" && domain.status === "verified",
    released: status === "failed",
  };
}

const TAKEN: DomainWarning = {
  code: "domain_taken",
  message:
    "Another account of this service has proven that it owns the domain, and holds it until it lets go.",
};

const OWNER_AT_DOMAIN: DomainWarning = {
  code: "owner_at_domain",
  message:
    "Everybody in charge of the account has an address at this domain. Mail for it stays with your provider until somebody at another address is in charge too.",
};

const peopleAtDomain = (from: string): DomainWarning => ({
  code: "people_at_domain",
  message: `People with a say in accounts of this service have addresses at this domain, and were told. Mail for it is taken from ${from} on, and put off until then.`,
});

const SET_FROM = " Set it from ";

/** Adds to the MX record's hint, once, the time from which it may be published. */
function withDate(record: DnsRecord, from: string): DnsRecord {
  const { purpose, hint } = record;
  if (purpose !== "mx" || hint === null) return record;
  const [plain] = hint.split(SET_FROM);
  return { ...record, hint: `${plain}${SET_FROM}${from} on: mail that comes before is put off.` };
}

const isLive = (status: DomainRecord["status"]): boolean => status === "verified" || status === "degraded";

const isOwned = (records: readonly DnsRecord[]): boolean =>
  records.some(({ purpose, status }) => purpose === "ownership" && status === "valid");

const isOver = (since: string | null, after_ms: number, now: Date): boolean =>
  since !== null && now.getTime() - new Date(since).getTime() >= after_ms;

function statusAfter(
  domain: DomainRecord,
  { proven, records, trouble }: Findings & { proven: boolean },
  now: Date,
): DomainRecord["status"] {
  const { status } = domain;
  if (proven && !trouble) return "verified";
  if (status === "verified" || status === "degraded") {
    if (trouble) return status;
    if (isOver(domain.ownership_missing_since, LIMITS.domain_released_after_ms, now)) return "failed";
    return isOver(domain.missing_since, LIMITS.domain_degraded_after_ms, now) ? "degraded" : status;
  }
  if (isOver(domain.attempt_started_at, LIMITS.domain_attempt_ms, now)) return "failed";
  const seen = records.some((record) => record.required && record.status === "valid");
  return seen ? "verifying" : status;
}

/**
 * Returns which directions of mail work: neither before the domain is verified, and no receiving if that would leave
 * nobody in charge or if it is still too early.
 */
function mailAfter(
  { status, dkim_selector }: DomainRecord,
  records: readonly DnsRecord[],
  { nobody_left, waits }: Standing & { waits: boolean },
): DomainRecord["mail"] {
  if (!isLive(status)) return { receiving: false, sending: false };
  const { receiving, sending } = mailOf(records);
  return {
    receiving: receiving && !nobody_left && !waits,
    sending: sending && dkimStatus(records, dkim_selector) === "valid",
  };
}

/**
 * Returns when a domain is checked next: a verified one daily and when it may begin to receive, one that waits for
 * something hourly, and a verification after 1, 5, 15 and 60 minutes and then hourly.
 */
export function nextCheck(domain: DomainRecord, trouble: boolean, now: Date): Date | null {
  const { status, attempt_started_at, missing_since, next_dkim_selector } = domain;
  const { previous_dkim_until, receiving_from } = domain;
  if (status === "failed") return null;
  const at = now.getTime();
  if (status === "pending" || status === "verifying") {
    const begun = new Date(attempt_started_at).getTime();
    const first = FIRST_CHECKS_MS.find((after) => begun + after > at);
    return new Date(begun + (first ?? (Math.floor((at - begun) / HOUR_MS) + 1) * HOUR_MS));
  }
  const waits = trouble || missing_since !== null || next_dkim_selector !== null;
  const next = at + (waits ? HOUR_MS : LIMITS.domain_check_ms);
  const previous_ends =
    previous_dkim_until === null ? next : Math.max(at + MINUTE_MS, Date.parse(previous_dkim_until));
  const may_receive = receiving_from === null ? next : Date.parse(receiving_from);
  return new Date(Math.min(next, previous_ends, may_receive > at ? may_receive : next));
}

/**
 * Advances a key rotation: the next key signs once a check has seen it, and the previous one is forgotten after seven
 * days. A third key waits until then.
 */
function rotate(domain: DomainRecord, records: readonly DnsRecord[], now: Date): Partial<DomainRecord> {
  const { next_dkim_selector, next_dkim_public_key, sealed_next_dkim_key, previous_dkim_until } = domain;
  const over = previous_dkim_until !== null && previous_dkim_until <= iso(now);
  const forgotten = over ? NO_PREVIOUS : {};
  if (next_dkim_selector === null || next_dkim_public_key === null || sealed_next_dkim_key === null)
    return forgotten;
  const waits = previous_dkim_until !== null && !over;
  if (waits || dkimStatus(records, next_dkim_selector) !== "valid") return forgotten;
  return {
    dkim_selector: next_dkim_selector,
    dkim_public_key: next_dkim_public_key,
    sealed_dkim_key: sealed_next_dkim_key,
    ...NO_NEXT,
    previous_dkim_selector: domain.dkim_selector,
    previous_dkim_public_key: domain.dkim_public_key,
    previous_dkim_until: iso(new Date(now.getTime() + LIMITS.dkim_kept_ms)),
  };
}

const NO_PREVIOUS = {
  previous_dkim_selector: null,
  previous_dkim_public_key: null,
  previous_dkim_until: null,
} as const satisfies Partial<DomainRecord>;

/** No key that is to sign next. */
export const NO_NEXT = {
  next_dkim_selector: null,
  next_dkim_public_key: null,
  sealed_next_dkim_key: null,
} as const satisfies Partial<DomainRecord>;

/** Starts a new verification; a verified domain stays verified meanwhile. */
export const newAttempt = (
  { status }: Pick<DomainRecord, "status">,
  now: Date,
): Pick<DomainRecord, "status" | "attempt_started_at" | "next_check_at"> => ({
  status: status === "verified" || status === "degraded" ? status : "pending",
  attempt_started_at: iso(now),
  next_check_at: iso(now),
});

/** Fails with `domain_taken` for a domain that another account has verified. */
export function checkFree(
  holder: Pick<DomainRecord, "account_id" | "status"> | undefined,
  account_id: string,
): void {
  if (holder === undefined || holder.account_id === account_id) return;
  if (holder.status === "verified" || holder.status === "degraded")
    throw fail("domain_taken", { param: "domain" });
}

/** Fails with `domain_not_verified` for a domain whose keys don't sign yet. */
export function checkSigns({ status }: Pick<DomainRecord, "status">): void {
  if (status !== "verified" && status !== "degraded") throw fail("domain_not_verified");
}
