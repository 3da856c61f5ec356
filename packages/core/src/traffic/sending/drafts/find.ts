import { LIMITS } from "../../../catalogue/limits.ts";
import { notFound } from "../../../kernel/gate.ts";
import type { Work } from "../../../kernel/work.ts";
import { DraftKind, type DraftRecord } from "../../../model/drafts.ts";
import { iso } from "../../../model/fields.ts";
import type { MessageRecord } from "../../../model/messages.ts";
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

/** The key of a sent draft among the answers kept for repeated calls; no Idempotency-Key has a blank. */
const sentKey = (draft_id: string): string => `draft ${draft_id}`;

/** Notes in the transaction in which a draft leaves what it became, so that another send of it answers that. */
export function noteSent(
  work: Work,
  { id, account_id, kind }: Pick<DraftRecord, "id" | "account_id" | "kind">,
  message_id: string,
  now: Date,
): void {
  const expires_at = iso(new Date(now.getTime() + LIMITS.idempotency_window_ms));
  const response = { message_id, kind };
  work.append("idempotency", [{ account_id, key: sentKey(id), fingerprint: id, response, expires_at }]);
}

/** The message that a draft of this inbox became within the last 24 hours, unless it was deleted since. */
export async function findSent(
  storage: StorageReader,
  { inbox_id, account_id }: Pick<MessageRecord, "inbox_id" | "account_id">,
  draft_id: string,
  now: Date,
): Promise<{ message: MessageRecord; kind: DraftKind } | undefined> {
  const [sent] = await storage.find("idempotency", {
    where: { account_id, key: sentKey(draft_id) },
    limit: 1,
  });
  if (sent === undefined || sent.expires_at <= iso(now)) return undefined;
  const message = await storage.get("messages", String(sent.response["message_id"]));
  if (message?.inbox_id !== inbox_id) return undefined;
  return { message, kind: DraftKind.parse(sent.response["kind"]) };
}
