import { LIMITS } from "../../catalogue/limits.ts";
import type { OverviewAgent, OverviewRefusal } from "../../model/overview.ts";
import type { RefusalRecord } from "../../model/refusals.ts";

const HALF_DAY_MS = 12 * 3600_000;

/**
 * The moment at which the day of `now` began in a time zone. Where the clock skipped midnight, that is the first moment
 * after it.
 */
export function startOfDay(now: Date, time_zone: string): Date {
  const clock = new Intl.DateTimeFormat("en-GB", {
    ...{ timeZone: time_zone, hourCycle: "h23" },
    ...{ hour: "2-digit", minute: "2-digit", second: "2-digit" },
  });
  /** The time since midnight that a clock shows. */
  const shownAt = (time: number): number => {
    const [hours, minutes, seconds] = clock.format(time).split(":").map(Number) as [number, number, number];
    return (hours * 3600 + minutes * 60 + seconds) * 1000;
  };
  const second = Math.floor(now.getTime() / 1000) * 1000;
  const guess = second - shownAt(second);
  // The clock may have been changed since midnight.
  const off = shownAt(guess);
  return new Date(off < HALF_DAY_MS ? guess - off : guess + (2 * HALF_DAY_MS - off));
}

/** Mail that came and mail that left, counted to a limit, of all that was counted to twice that limit. */
export function receivedAndSent(all: number, sent: number): { received: number; sent: number } {
  // The two are counted at different moments.
  return { received: Math.max(0, Math.min(all - sent, LIMITS.overview_counted_to)), sent };
}

/** A call that was refused often, with the caller's id. */
export type Refused = Omit<OverviewRefusal, "name"> & Pick<RefusalRecord, "caller_id">;

/**
 * Sums refusals by caller, operation and error, and returns the frequent ones, most frequent first: one more than are shown
 * if there are more.
 */
export function oftenRefused(records: readonly RefusalRecord[]): Refused[] {
  const sums = new Map<string, Refused>();
  for (const { caller_id, key_id, client_id, operation, code, count, last_at } of records) {
    const same = [key_id ?? client_id, operation, code].join(" ");
    const sum = sums.get(same);
    if (sum === undefined) {
      sums.set(same, { caller_id, key_id, client_id, operation, code, count, last_at });
    } else {
      sum.count += count;
      if (last_at > sum.last_at) sum.last_at = last_at;
    }
  }
  return [...sums.values()]
    .filter(({ count }) => count >= LIMITS.overview_refusals_from)
    .sort((a, b) => b.count - a.count)
    .slice(0, LIMITS.overview_refusals + 1);
}

/** Inboxes with the newest mail first; those without any last. */
export const byNewestMail = (
  { last_at: a }: Pick<OverviewAgent, "last_at">,
  { last_at: b }: Pick<OverviewAgent, "last_at">,
): number => (b ?? "").localeCompare(a ?? "", "en");
