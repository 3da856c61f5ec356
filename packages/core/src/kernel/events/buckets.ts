import type { Period } from "../../model/metrics.ts";
export const PERIOD_MS: Record<Period, number> = { hour: 3600_000, day: 24 * 3600_000 };

/** Characters of an ISO time that name a bucket: 2026-11-20T13, 2026-11-20. */
export const BUCKET_NAME_CHARS: Record<Period, number> = { hour: 13, day: 10 };

/** A bucket's name in storage and its start. */
export interface Bucket {
  bucket: string;
  starts_at: string;
}

let last_hour = Number.NaN;
let last_buckets: readonly Bucket[] = [];

/** The hour and day buckets of a time. All that is counted in one hour shares them. */
export function bucketsOf(now: Date): readonly Bucket[] {
  const hour = Math.floor(now.getTime() / PERIOD_MS.hour);
  if (hour !== last_hour) {
    last_buckets = [bucketAt("hour", now), bucketAt("day", now)];
    last_hour = hour;
  }
  return last_buckets;
}

export function bucketAt(period: Period, time: Date): Bucket {
  const step = PERIOD_MS[period];
  const starts_at = new Date(Math.floor(time.getTime() / step) * step).toISOString();
  return { bucket: `${period}:${starts_at.slice(0, BUCKET_NAME_CHARS[period])}`, starts_at };
}
