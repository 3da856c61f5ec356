import { fail } from "../catalogue/errors.ts";
import { LIMITS } from "../catalogue/limits.ts";
import type { DnsRecord, DomainWarning } from "../model/domain-records.ts";
import type { DomainRecord } from "../model/domains.ts";
import { iso } from "../model/fields.ts";
import { dkimStatus, isProven, mailOf } from "./dns/rules.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** When a verification looks, after it began and before it looks every hour. */
const FIRST_CHECKS_MS = [1, 5, 15].map((minutes) => minutes * MINUTE_MS);

/** What a check of a domain's records found. */
export interface Findings {
  records: DnsRecord[];
  warnings: DomainWarning[];
  /** Some of the DNS couldn't be looked up, so that what is missing may be there. */
  trouble: boolean;
}

/** What the domain's account has to do with it, besides its records. */
export interface Standing {
  /** The account is the one that has proven the domain. */
  holds: boolean;
  /** Receiving mail for the domain would leave the account with nobody who has authority. */
  nobody_left: boolean;
}

/** What becomes of a domain after a check. */
export interface Judgement {
  change: Partial<DomainRecord>;
  /** When it is checked next; null when it isn't. */
  next: Date | null;
  /** It is verified for the first time. */
  verified: boolean;
  /** It was verified, and one of its required records has been gone for a day. */
  degraded: boolean;
  /** The account doesn't hold it any more. */
  released: boolean;
}

/** What a domain is once a check is over; of trouble with the DNS nothing follows, but that a verification ends. */
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
  const warnings = [
    ...found.warnings,
    ...(isOwned(records) && !standing.holds ? [TAKEN] : []),
    ...(standing.nobody_left ? [OWNER_AT_DOMAIN] : []),
  ];
  const verified_at = status === "verified" ? (domain.verified_at ?? iso(now)) : domain.verified_at;
  const change = {
    ...{ status, records, warnings, verified_at, ...gone, ...rotated },
    mail: mailAfter({ ...domain, status }, records, standing),
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

/** What works: nothing before the domain is verified, and no mail in that would leave nobody in charge. */
function mailAfter(
  { status, dkim_selector }: DomainRecord,
  records: readonly DnsRecord[],
  { nobody_left }: Standing,
): DomainRecord["mail"] {
  if (status !== "verified" && status !== "degraded") return { receiving: false, sending: false };
  const { receiving, sending } = mailOf(records);
  return {
    receiving: receiving && !nobody_left,
    sending: sending && dkimStatus(records, dkim_selector) === "valid",
  };
}

/**
 * When a domain is checked next: a verified one daily, one with something to wait for hourly, and a verification
 * after 1, 5, 15 and 60 minutes and hourly.
 */
export function nextCheck(domain: DomainRecord, trouble: boolean, now: Date): Date | null {
  const { status, attempt_started_at, missing_since, next_dkim_selector, previous_dkim_until } = domain;
  if (status === "failed") return null;
  const at = now.getTime();
  if (status === "pending" || status === "verifying") {
    const begun = new Date(attempt_started_at).getTime();
    const first = FIRST_CHECKS_MS.find((after) => begun + after > at);
    return new Date(begun + (first ?? (Math.floor((at - begun) / HOUR_MS) + 1) * HOUR_MS));
  }
  const waits = trouble || missing_since !== null || next_dkim_selector !== null;
  const next = at + (waits ? HOUR_MS : LIMITS.domain_check_ms);
  if (previous_dkim_until === null) return new Date(next);
  return new Date(Math.min(next, Math.max(at + MINUTE_MS, new Date(previous_dkim_until).getTime())));
}

/**
 * How a check moves a rotation on: the next key signs once it is seen, and the one before it is forgotten after
 * seven days. A third key waits until then.
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

/** The selector of a domain's first key: `ls-` and the last six characters of its id. */
export const firstSelector = (domain_id: string): string => `ls-${domain_id.slice(-6)}`;

/** The selector after this one: `ls-abc123`, `ls-abc123-2`, `ls-abc123-3`. */
export function selectorAfter(selector: string): string {
  const [ls, name, number = "1"] = selector.split("-");
  return `${ls}-${name}-${Number(number) + 1}`;
}

/** A verification that begins anew; what was verified stays so while it is looked at again. */
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
