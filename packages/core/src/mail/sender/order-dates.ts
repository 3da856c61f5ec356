import type { UntrustedReason } from "../../model/tasks.ts";
import { CLOCK_GRACE_MS, doubtOfSignature, type PersonProof } from "./proof.ts";

const DAY_MS = 24 * 3600_000;
/** An older order may have been sent to somebody else before, or to an inbox of before. */
export const MAX_ORDER_AGE_MS = 30 * DAY_MS;
/** An order that is dated further ahead could be kept for later. */
export const MAX_ORDER_AHEAD_MS = DAY_MS;

/** Since when an inbox takes orders of an author, in milliseconds since 1970. */
export interface OrderTimes {
  /** When the author was confirmed or allowlisted, or the inbox made, whichever was later. */
  since: number;
  /** When the inbox was imported; null if it never was. */
  imported_at: number | null;
}

/** Why an order doesn't count by its dates: the code, and the end of a sentence. */
export interface DateDoubt {
  reason: UntrustedReason;
  doubt: string;
}

/**
 * Why a person's mail is no trusted order by its Date or by when it was signed; null when it is. Of several signatures that count one
 * is enough, and none is needed where the author's own server delivered the mail.
 */
export function doubtOfDates(
  { date, aligned_spf, signatures }: Pick<PersonProof, "date" | "aligned_spf" | "signatures">,
  times: OrderTimes,
  now: number,
): DateDoubt | null {
  if (date === null || !Number.isFinite(date))
    return { reason: "too_old", doubt: "it has no Date that can be read, so it may be old" };
  const by_date = doubtOfTime(date, times, now, { what: "its Date", ahead_ms: MAX_ORDER_AHEAD_MS });
  if (by_date !== null || aligned_spf) return by_date;
  const doubts = signatures
    .filter((signature) => doubtOfSignature(signature) === null)
    .map(({ signed_at }) =>
      signed_at === null
        ? null
        : doubtOfTime(signed_at * 1000, times, now, {
            what: "the time of its signature",
            ahead_ms: CLOCK_GRACE_MS,
          }),
    );
  return doubts.includes(null) ? null : (doubts[0] ?? null);
}

function doubtOfTime(
  time: number,
  { since, imported_at }: OrderTimes,
  now: number,
  { what, ahead_ms }: { what: string; ahead_ms: number },
): DateDoubt | null {
  if (time > now + ahead_ms) return { reason: "dated_ahead", doubt: `${what} lies ahead` };
  if (time < now - MAX_ORDER_AGE_MS) return { reason: "too_old", doubt: `${what} is more than 30 days ago` };
  if (time < since - CLOCK_GRACE_MS)
    return {
      reason: "before_owner",
      doubt: `${what} is before the sender was confirmed or allowlisted, or the inbox made`,
    };
  if (imported_at !== null && time < imported_at)
    return { reason: "before_owner", doubt: `${what} is before the inbox was imported` };
  return null;
}
