import type { StorageReader } from "../../ports/storage.ts";

/**
 * The inboxes of records that are still there: what a deleted one leaves is purged by and by, and shown no
 * more.
 */
export async function openInboxes(
  storage: StorageReader,
  records: readonly { inbox_id: string }[],
): Promise<Set<string>> {
  const ids = [...new Set(records.map(({ inbox_id }) => inbox_id))];
  const inboxes =
    ids.length === 0 ? [] : await storage.find("inboxes", { where: { id: { in: ids } }, limit: ids.length });
  return new Set(inboxes.map(({ id }) => id));
}
