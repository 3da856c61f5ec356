import { LIMITS } from "../../../catalogue/limits.ts";
import type { OwnerRecord } from "../../../model/owners.ts";

const DAY_MS = 24 * 3600_000;

/** The time of the next daily digests: 13:00 UTC, today or tomorrow. */
export function nextDigestTime(now: Date): Date {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS + LIMITS.digest_hour_utc * 3600_000;
  return new Date(today > now.getTime() ? today : today + DAY_MS);
}

/** Whether a digest goes to an owner on this day (UTC): every day, but every seventh to one whom mail doesn't reach. */
export function isDigestDay(
  { unreachable_since }: Pick<OwnerRecord, "unreachable_since">,
  now: Date,
): boolean {
  if (unreachable_since === null) return true;
  const dayOf = (time: number) => Math.floor(time / DAY_MS);
  const days = dayOf(now.getTime()) - dayOf(new Date(unreachable_since).getTime());
  return days > 0 && days % LIMITS.unreachable_digest_days === 0;
}
