import { limits } from "../limits.ts";
import type { Period } from "./schema.ts";

const lengthMs: Record<Period, number> = { hour: 3600_000, day: 24 * 3600_000 };
const defaultBuckets: Record<Period, number> = { hour: 24, day: 30 };
/** How much of an ISO time names a bucket: 2026-11-20T13, 2026-11-20. */
const nameChars: Record<Period, number> = { hour: 13, day: 10 };

/** One bucket: its name in storage and when it starts. */
export interface Bucket {
  bucket: string;
  starts_at: string;
}

/** The buckets that a moment falls in. */
export function bucketsOf(now: Date): Bucket[] {
  return [bucketAt("hour", now), bucketAt("day", now)];
}

/**
 * The buckets of a range, oldest first, from the one that `from` falls in to the last that begins before
 * `to`.
 */
export function bucketsBetween(period: Period, { from, to }: { from: Date; to: Date }): Bucket[] {
  const buckets: Bucket[] = [];
  const step = lengthMs[period];
  for (let start = Math.floor(from.getTime() / step) * step; start < to.getTime(); start += step)
    buckets.push(bucketAt(period, new Date(start)));
  return buckets;
}

/**
 * The range that is asked for: up to now and 24 hours or 30 days back unless stated. Undefined when it is
 * empty or over 90 days.
 */
export function rangeOf(
  period: Period,
  asked: { from?: string | undefined; to?: string | undefined },
  now: Date,
): { from: Date; to: Date } | undefined {
  const to = asked.to === undefined ? now : new Date(asked.to);
  const back = lengthMs[period] * defaultBuckets[period];
  const from = asked.from === undefined ? new Date(to.getTime() - back) : new Date(asked.from);
  const length = to.getTime() - from.getTime();
  return length > 0 && length <= limits.metrics_range_ms ? { from, to } : undefined;
}

function bucketAt(period: Period, time: Date): Bucket {
  const step = lengthMs[period];
  const starts_at = new Date(Math.floor(time.getTime() / step) * step).toISOString();
  return { bucket: `${period}:${starts_at.slice(0, nameChars[period])}`, starts_at };
}
