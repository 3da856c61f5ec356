import type { InboxContext } from "../kernel/context.ts";
import { findMessage, replyReferences } from "../messages/index.ts";
import type { MessageRecord } from "../model/messages.ts";

/** What an `in_reply_to` may look like: one of our ids, or a Message-ID with or without its brackets. */
export const answeredForm = /^(?:<[^\s<>]+>|[^\s<>]+)$/;

/**
 * The message of this inbox that an `in_reply_to` names, by our id or by its Message-ID. Fails with
 * `message_not_found` for an id.
 */
export async function answeredBy(
  { storage, inbox }: InboxContext,
  named: string,
): Promise<MessageRecord | undefined> {
  if (named.startsWith("msg_")) return findMessage(storage, inbox.id, named);
  const reference = bracketed(named);
  const [row] = await storage.find("message_references", {
    where: { inbox_id: inbox.id, reference },
    limit: 1,
  });
  return row === undefined ? undefined : storage.get("messages", row.message_id);
}

/**
 * The threading headers of a mail that names what it answers; a Message-ID that we don't know stands for
 * itself.
 */
export function threadingOf(
  in_reply_to: string | undefined,
  answered: MessageRecord | undefined,
): { in_reply_to: string | null; references: string[] } {
  if (answered !== undefined) return replyReferences(answered);
  if (in_reply_to === undefined) return { in_reply_to: null, references: [] };
  return { in_reply_to: bracketed(in_reply_to), references: [bracketed(in_reply_to)] };
}

const bracketed = (message_id: string): string =>
  message_id.startsWith("<") ? message_id : `<${message_id}>`;
