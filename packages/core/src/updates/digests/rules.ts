import { LIMITS } from "../../catalogue/limits.ts";

const DAY_MS = 24 * 3600_000;

/** The time of the next daily digests: 13:00 UTC, today or tomorrow. */
export function nextDigestTime(now: Date): Date {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS + LIMITS.digest_hour_utc * 3600_000;
  return new Date(today > now.getTime() ? today : today + DAY_MS);
}
