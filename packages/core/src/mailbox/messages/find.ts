import { notFound } from "../../kernel/gate.ts";
import type { MessageBodyRecord, MessageRecord } from "../../model/messages.ts";
import type { StorageReader } from "../../ports/storage.ts";

/** A message of the inbox. Fails with `message_not_found`. */
export async function findMessage(
  storage: StorageReader,
  inbox_id: string,
  id: string,
): Promise<MessageRecord> {
  const message = await storage.get("messages", id);
  if (message === undefined || message.inbox_id !== inbox_id) throw notFound("message_not_found", "msg", id);
  return message;
}

/** The messages with these ids that are in the inbox, in the order of `ids`. */
export async function findMessages(
  storage: StorageReader,
  inbox_id: string,
  ids: readonly string[],
): Promise<MessageRecord[]> {
  const found = await storage.find("messages", { where: { id: { in: ids } }, limit: ids.length });
  const own = new Map(
    found.filter((message) => message.inbox_id === inbox_id).map((message) => [message.id, message]),
  );
  return ids.flatMap((id) => own.get(id) ?? []);
}

/** The body fields of a message. Fails with `message_not_found` when it was deleted meanwhile. */
export async function findBody(storage: StorageReader, message: MessageRecord): Promise<MessageBodyRecord> {
  const body = await storage.get("message_bodies", message.id);
  if (body === undefined) throw notFound("message_not_found", "msg", message.id);
  return body;
}
