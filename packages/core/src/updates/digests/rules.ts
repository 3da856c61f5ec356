import { limits } from "../../catalogue/limits.ts";

const dayMs = 24 * 3600_000;

/** When the next daily digests go out: 13:00 UTC, today or tomorrow. */
export function nextDigestTime(now: Date): Date {
  const today = Math.floor(now.getTime() / dayMs) * dayMs + limits.digest_hour_utc * 3600_000;
  return new Date(today > now.getTime() ? today : today + dayMs);
}
