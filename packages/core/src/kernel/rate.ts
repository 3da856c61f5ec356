import { fail } from "../catalogue/errors.ts";
import type { StorageReader, StorageWriter } from "../ports/storage.ts";

/** A rate limit: at most `max` per window of `window_ms`, counted across all processes. */
export interface Cap {
  name: string;
  max: number;
  window_ms: number;
}

/**
 * Counts one, or `amount`, and returns whether it is within the cap, and the seconds until the window ends. Windows are
 * fixed and start at multiples of their length. `give_back` undoes the count.
 */
export async function count(
  storage: StorageWriter,
  cap: Cap,
  now: Date,
  amount = 1,
): Promise<{ within: boolean; retry_after_seconds: number; give_back(): Promise<void> }> {
  const { name, end } = windowOf(cap, now);
  const { record, inserted } = await storage.insert("counters", {
    name,
    count: amount,
    expires_at: end.toISOString(),
  });
  const counted = inserted
    ? record
    : (await storage.update("counters", { name }, { count: { add: amount } }))[0];
  return {
    within: (counted?.count ?? amount) <= cap.max,
    retry_after_seconds: Math.ceil((end.getTime() - now.getTime()) / 1000),
    give_back: async () => void (await storage.update("counters", { name }, { count: { add: -amount } })),
  };
}

/** Returns the count of the current window so far. */
export async function countedSoFar(storage: StorageReader, cap: Cap, now: Date): Promise<number> {
  return (await storage.get("counters", windowOf(cap, now).name))?.count ?? 0;
}

/** The counter of the current window, and when that ends. */
function windowOf({ name, window_ms }: Cap, now: Date): { name: string; end: Date } {
  const start = Math.floor(now.getTime() / window_ms) * window_ms;
  return { name: `${name}:${start}`, end: new Date(start + window_ms) };
}

/** Counts one. Fails with `rate_limited` when the cap is exceeded. */
export async function countOrFail(storage: StorageWriter, cap: Cap, now: Date): Promise<void> {
  const { within, retry_after_seconds } = await count(storage, cap, now);
  if (!within) throw fail("rate_limited", { retry_after_seconds });
}

/**
 * Takes one of the `slots` slots of a name, shared by all processes, for at most `lease_ms`. Returns the
 * slot's name, or undefined when all are taken. The slot of a dead holder is free again when its lease ends.
 */
export async function takeSlot(
  storage: StorageWriter,
  wanted: { name: string; slots: number; holder: string; lease_ms: number },
  now: Date,
): Promise<string | undefined> {
  const { holder } = wanted;
  const expires_at = new Date(now.getTime() + wanted.lease_ms).toISOString();
  for (let index = 0; index < wanted.slots; index++) {
    const name = `${wanted.name}:${index}`;
    const { record, inserted } = await storage.insert("slots", { name, holder, expires_at });
    if (inserted) return name;
    if (record.expires_at > now.toISOString()) continue;
    const taken = await storage.update(
      "slots",
      { name, expires_at: { lte: now.toISOString() } },
      { holder, expires_at },
    );
    if (taken.length > 0) return name;
  }
  return undefined;
}

/** Frees a slot if the holder still has it. */
export async function freeSlot(storage: StorageWriter, name: string, holder: string): Promise<void> {
  await storage.delete("slots", { name, holder });
}
