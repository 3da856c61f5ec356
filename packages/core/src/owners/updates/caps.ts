import { LIMITS } from "../../catalogue/limits.ts";
import { count } from "../../kernel/rate.ts";
import type { Work } from "../../kernel/work.ts";
import type { OwnerRecord } from "../../model/owners.ts";

const HOUR_MS = 3600_000;

/**
 * Counts a letter that an agent caused against the owner's rate limits, and returns whether it may be sent.
 */
export async function withinCaps(work: Work, { id }: Pick<OwnerRecord, "id">, now: Date): Promise<boolean> {
  const hour = await count(
    work,
    { name: `updates-hour:${id}`, max: LIMITS.updates_per_owner_hour, window_ms: HOUR_MS },
    now,
  );
  if (!hour.within) return false;
  const day = await count(
    work,
    { name: `updates-day:${id}`, max: LIMITS.updates_per_owner_day, window_ms: 24 * HOUR_MS },
    now,
  );
  return day.within;
}
