import type { InboxContext } from "../kernel/context.ts";
import { findMessage, replyReferences } from "../messages/index.ts";
import type { MessageRecord } from "../model/messages.ts";

/** The form of `in_reply_to`: one of our ids, or a Message-ID with or without angle brackets. */
export const ANSWERED_REFERENCE = /^(?:<[^\s<>]+>|[^\s<>]+)$/;

/**
 * The message of this inbox that `in_reply_to` names, if any. Fails with `message_not_found` when it is an id
 * of ours that doesn't exist.
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

/** The threading headers of a mail with `in_reply_to`; an unknown Message-ID is used as it is. */
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
