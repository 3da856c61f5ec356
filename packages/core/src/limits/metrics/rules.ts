import { LIMITS } from "../../catalogue/limits.ts";
import type { Bucket } from "../../kernel/events/buckets.ts";
import { bucketAt, PERIOD_MS } from "../../kernel/events/buckets.ts";
import type { Period } from "../../model/metrics.ts";

const DEFAULT_BUCKETS: Record<Period, number> = { hour: 24, day: 30 };

/** The buckets of a range, oldest first: from the one with `from` to the last that begins before `to`. */
export function bucketsBetween(period: Period, { from, to }: { from: Date; to: Date }): Bucket[] {
  const buckets: Bucket[] = [];
  const step = PERIOD_MS[period];
  for (let start = Math.floor(from.getTime() / step) * step; start < to.getTime(); start += step)
    buckets.push(bucketAt(period, new Date(start)));
  return buckets;
}

/** The requested range, by default 24 hours or 30 days. Undefined when it is empty or over 90 days. */
export function rangeOf(
  period: Period,
  asked: { from?: string | undefined; to?: string | undefined },
  now: Date,
): { from: Date; to: Date } | undefined {
  const to = asked.to === undefined ? now : new Date(asked.to);
  const back = PERIOD_MS[period] * DEFAULT_BUCKETS[period];
  const from = asked.from === undefined ? new Date(to.getTime() - back) : new Date(asked.from);
  const length = to.getTime() - from.getTime();
  return length > 0 && length <= LIMITS.metrics_range_ms ? { from, to } : undefined;
}
