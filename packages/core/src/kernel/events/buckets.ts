import type { Period } from "../../model/metrics.ts";
export const lengthMs: Record<Period, number> = { hour: 3600_000, day: 24 * 3600_000 };

/** How much of an ISO time names a bucket: 2026-11-20T13, 2026-11-20. */
export const nameChars: Record<Period, number> = { hour: 13, day: 10 };

/** One bucket: its name in storage and when it starts. */
export interface Bucket {
  bucket: string;
  starts_at: string;
}

/** The buckets that a moment falls in. */
export function bucketsOf(now: Date): Bucket[] {
  return [bucketAt("hour", now), bucketAt("day", now)];
}

export function bucketAt(period: Period, time: Date): Bucket {
  const step = lengthMs[period];
  const starts_at = new Date(Math.floor(time.getTime() / step) * step).toISOString();
  return { bucket: `${period}:${starts_at.slice(0, nameChars[period])}`, starts_at };
}
