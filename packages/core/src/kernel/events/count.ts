import type { MetricName } from "../../model/metrics.ts";
import type { StorageWriter } from "../../ports/storage.ts";
import { bucketsOf } from "./buckets.ts";

/** Adds to an account's metrics for this hour and this day, with one statement for all names of equal count. */
export async function countMetrics(
  storage: StorageWriter,
  account_id: string,
  names: readonly MetricName[],
  now: Date,
): Promise<void> {
  const times = new Map<MetricName, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  for (const [count, alike] of Map.groupBy(times.keys(), (name) => times.get(name) ?? 0))
    await addToAll(storage, account_id, alike, count, now);
}

async function addToAll(
  storage: StorageWriter,
  account_id: string,
  names: readonly MetricName[],
  count: number,
  now: Date,
): Promise<void> {
  const buckets = bucketsOf(now);
  const change = { count: { add: count } };
  const where = { account_id, name: { in: [...names] }, bucket: { in: buckets.map(({ bucket }) => bucket) } };
  const counted = await storage.update("metric_counts", where, change);
  if (counted.length === names.length * buckets.length) return;

  // Insert the rows that are missing: the first of this hour or day.
  for (const name of names) {
    for (const { bucket, starts_at } of buckets) {
      if (counted.some((known) => known.name === name && known.bucket === bucket)) continue;
      const { inserted } = await storage.insert("metric_counts", {
        account_id,
        name,
        bucket,
        starts_at,
        count,
      });
      if (!inserted) await storage.update("metric_counts", { account_id, name, bucket }, change);
    }
  }
}
