import { LIMITS } from "../../catalogue/limits.ts";
import type { UpdateDeliveryRecord, UpdateRecord } from "../../model/updates.ts";
import type { StorageReader } from "../../ports/storage.ts";

/** Adds the deliveries to updates; a letter that could not be sent shows as failed. */
export async function withDeliveries(
  reader: StorageReader,
  updates: readonly UpdateRecord[],
): Promise<(UpdateRecord & { deliveries: UpdateDeliveryRecord[] })[]> {
  if (updates.length === 0) return [];
  const deliveries = await reader.find("update_deliveries", {
    where: { update_id: { in: updates.map(({ id }) => id) } },
    limit: updates.length * LIMITS.owners_per_inbox,
  });
  const failed = await failedLetters(reader, deliveries);
  const shown = deliveries.map((delivery) =>
    failed.has(delivery.message_id)
      ? { ...delivery, status: "failed" as const, reason: "not_delivered" }
      : delivery,
  );
  return updates.map((update) => ({
    ...update,
    deliveries: shown.filter(({ update_id }) => update_id === update.id),
  }));
}

async function failedLetters(
  reader: StorageReader,
  deliveries: readonly UpdateDeliveryRecord[],
): Promise<Set<string | null>> {
  const ids = deliveries.map(({ message_id }) => message_id).filter((id) => id !== null);
  if (ids.length === 0) return new Set();
  const letters = await reader.find("messages", { where: { id: { in: ids } }, limit: ids.length });
  return new Set(letters.filter(({ status }) => status === "failed").map(({ id }) => id));
}
