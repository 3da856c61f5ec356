import { fail } from "../../catalogue/errors.ts";
import { notFound } from "../../kernel/gate.ts";
import { findMessage, isHeld } from "../../mailbox/messages/index.ts";
import type { StoredAttachment } from "../../model/attachments.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { StorageReader } from "../../ports/storage.ts";

/** An attachment of a message, with it. Fails with `message_not_found`, `attachment_not_found` or `message_held`. */
export async function findFile(
  storage: StorageReader,
  inbox_id: string,
  message_id: string,
  id: string,
): Promise<{ message: MessageRecord; attachment: StoredAttachment }> {
  const message = await findMessage(storage, inbox_id, message_id);
  const attachment = message.attachments.find((each) => each.id === id);
  if (attachment === undefined) throw notFound("attachment_not_found", "att", id);
  if (isHeld(message)) throw fail("message_held");
  return { message, attachment };
}
