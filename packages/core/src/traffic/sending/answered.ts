import { fail } from "../../catalogue/errors.ts";
import type { InboxContext } from "../../kernel/context.ts";
import { findReferenced } from "../../kernel/inbox/references.ts";
import { findMessage, replyReferences } from "../../mailbox/messages/index.ts";
import type { MessageRecord } from "../../model/messages.ts";

/** The form of `in_reply_to`: one of our ids, or a Message-ID with or without angle brackets. */
export const ANSWERED_REFERENCE = /^(?:<[^\s<>]+>|[^\s<>]+)$/;

/**
 * The message of this inbox that `in_reply_to` names, if any. Fails with `message_not_found` when it is an id
 * of ours that doesn't exist, and with `invalid_header` when it names a letter of the service.
 */
export async function answeredBy(ctx: InboxContext, named: string): Promise<MessageRecord | undefined> {
  const { storage, inbox } = ctx;
  await checkNoLetter(ctx, named);
  if (named.startsWith("msg_")) return findMessage(storage, inbox.id, named);
  const [row] = await findReferenced(storage, inbox.id, [bracketed(named)]);
  return row === undefined ? undefined : storage.get("messages", row.message_id);
}

/** Fails with `invalid_header` when `in_reply_to` names a letter of the service: only its reader answers it. */
async function checkNoLetter({ storage, inbox }: InboxContext, named: string): Promise<void> {
  const [, body = ""] = /^<?([0-9a-z]{20})@/i.exec(named) ?? [];
  const [known] = named.startsWith("msg_") ? [] : await findReferenced(storage, inbox.id, [bracketed(named)]);
  const ids = [named, `msg_${body.toLowerCase()}`, known?.message_id ?? ""].filter((id) =>
    id.startsWith("msg_"),
  );
  const [letter] = await storage.find("letter_secrets", { where: { message_id: { in: ids } }, limit: 1 });
  if (letter !== undefined) throw fail("invalid_header", { param: "in_reply_to" });
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
