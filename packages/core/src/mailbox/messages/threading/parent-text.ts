import type { ParentText } from "../../../model/read-mail.ts";
import type { StorageReader } from "../../../ports/storage.ts";

/** Reads the message of the inbox that a reply is compared with; undefined when the inbox doesn't have it. */
export async function readParentText(
  storage: StorageReader,
  inbox_id: string,
  message_id: string,
): Promise<ParentText | undefined> {
  const [message, body] = await Promise.all([
    storage.get("messages", message_id),
    storage.get("message_bodies", message_id),
  ]);
  if (message === undefined || message.inbox_id !== inbox_id) return undefined;
  return { text: body?.text || message.extracted_text, new_text: message.extracted_text };
}
