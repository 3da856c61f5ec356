import { limits } from "../catalogue/limits.ts";
import { count } from "../kernel/rate.ts";
import type { Work } from "../kernel/work.ts";
import type { OwnerRecord } from "../model/owners.ts";

const hourMs = 3600_000;

/**
 * Counts a letter that an agent brought about against the owner's caps, over all processes; says whether it
 * may go.
 */
export async function withinCaps(work: Work, { id }: Pick<OwnerRecord, "id">, now: Date): Promise<boolean> {
  const hour = await count(
    work,
    { name: `updates-hour:${id}`, max: limits.updates_per_owner_hour, window_ms: hourMs },
    now,
  );
  if (!hour.within) return false;
  const day = await count(
    work,
    { name: `updates-day:${id}`, max: limits.updates_per_owner_day, window_ms: 24 * hourMs },
    now,
  );
  return day.within;
}
