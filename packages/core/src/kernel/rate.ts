import { fail } from "../catalogue/errors.ts";
import type { StorageWriter } from "../ports/storage.ts";

/** A cap: at most `max` per window of `window_ms`, counted over all processes. */
export interface Cap {
  name: string;
  max: number;
  window_ms: number;
}

/**
 * Counts one and says whether the cap still holds, and when its window ends. Windows are fixed and begin at
 * multiples of their length.
 */
export async function count(
  storage: StorageWriter,
  cap: Cap,
  now: Date,
): Promise<{ within: boolean; retry_after_seconds: number }> {
  const start = Math.floor(now.getTime() / cap.window_ms) * cap.window_ms;
  const end = new Date(start + cap.window_ms);
  const name = `${cap.name}:${start}`;
  const { record, inserted } = await storage.insert("counters", {
    name,
    count: 1,
    expires_at: end.toISOString(),
  });
  const counted = inserted ? record : (await storage.update("counters", { name }, { count: { add: 1 } }))[0];
  return {
    within: (counted?.count ?? 1) <= cap.max,
    retry_after_seconds: Math.ceil((end.getTime() - now.getTime()) / 1000),
  };
}

/** Counts one and fails with `rate_limited` when that is one too many. */
export async function countOrFail(storage: StorageWriter, cap: Cap, now: Date): Promise<void> {
  const { within, retry_after_seconds } = await count(storage, cap, now);
  if (!within) throw fail("rate_limited", { retry_after_seconds });
}

/**
 * Takes one of `places` places under a name, over all processes, for at most `lease_ms`; answers its name, or
 * undefined when all are held. A place whose holder died is free again when its lease ends.
 */
export async function takeSlot(
  storage: StorageWriter,
  slot: { name: string; places: number; holder: string; lease_ms: number },
  now: Date,
): Promise<string | undefined> {
  const expires_at = new Date(now.getTime() + slot.lease_ms).toISOString();
  for (let place = 0; place < slot.places; place++) {
    const name = `${slot.name}:${place}`;
    const { record, inserted } = await storage.insert("slots", { name, holder: slot.holder, expires_at });
    if (inserted) return name;
    if (record.expires_at > now.toISOString()) continue;
    const taken = await storage.update(
      "slots",
      { name, expires_at: { lte: now.toISOString() } },
      { holder: slot.holder, expires_at },
    );
    if (taken.length > 0) return name;
  }
  return undefined;
}

/** Frees a place that the holder still has. */
export async function freeSlot(storage: StorageWriter, name: string, holder: string): Promise<void> {
  await storage.delete("slots", { name, holder });
}
