import { notFound } from "../gate.ts";
import type { StorageReader } from "../ports/storage.ts";
import type { MessageBodyRecord, MessageRecord } from "./schema.ts";

/** A message of an inbox, else `message_not_found`. */
export async function findMessage(storage: StorageReader, inbox_id: string, id: string): Promise<MessageRecord> {
  const message = await storage.get("messages", id);
  if (message === undefined || message.inbox_id !== inbox_id) throw notFound("message_not_found", "msg", id);
  return message;
}

/** The long fields of a message, which are there whenever the message is. */
export async function findBody(storage: StorageReader, message: MessageRecord): Promise<MessageBodyRecord> {
  const body = await storage.get("message_bodies", message.id);
  if (body === undefined) throw notFound("message_not_found", "msg", message.id);
  return body;
}
