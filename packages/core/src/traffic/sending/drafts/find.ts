import { notFound } from "../../../kernel/gate.ts";
import type { DraftRecord } from "../../../model/drafts.ts";
import type { StorageReader } from "../../../ports/storage.ts";

/** A draft of the inbox. Fails with `draft_not_found`. */
export async function findDraft(storage: StorageReader, inbox_id: string, id: string): Promise<DraftRecord> {
  const draft = await storage.get("drafts", id);
  if (draft?.inbox_id !== inbox_id) throw notFound("draft_not_found", "dft", id);
  return draft;
}

/** The unsent draft that was created with this client_id. */
export async function findDraftByClientId(
  storage: StorageReader,
  inbox_id: string,
  client_id: string | null | undefined,
): Promise<DraftRecord | undefined> {
  if (client_id == null) return undefined;
  const [draft] = await storage.find("drafts", { where: { inbox_id, client_id }, limit: 1 });
  return draft;
}
