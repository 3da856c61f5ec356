import { findReferenced } from "../../kernel/inbox/references.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { OwnerRecord } from "../../model/owners.ts";
import type { ParsedMail } from "../../model/parsed-mail.ts";
import type { StorageReader } from "../../ports/storage.ts";

/** An owner's mail as it is stored, and the inbox that received it. */
export interface OwnerReply {
  inbox: InboxRecord;
  message: MessageRecord;
  owner: OwnerRecord;
  now: Date;
}

/**
 * The id of the inbox's own message that a mail replies to. Only a direct reply counts: another mail of the
 * same thread answers nothing.
 */
export async function answeredMessageId(
  storage: Pick<StorageReader, "find">,
  inbox_id: string,
  { in_reply_to, references }: Pick<ParsedMail, "in_reply_to" | "references">,
): Promise<string | undefined> {
  const reference = in_reply_to ?? references.at(-1);
  if (reference === undefined) return undefined;
  const [own] = await findReferenced(storage, inbox_id, [reference], { own: true });
  return own?.message_id;
}

/** The names with which an owner may sign a reply: their sender name and the local part of their address. */
export const signaturesOf = ({ from }: Pick<ParsedMail, "from">, { email }: Pick<OwnerRecord, "email">) => [
  from[0]?.name ?? "",
  email.split("@")[0] ?? "",
];

/** Whether an unclear reply was already followed by a second question; there is never a third. */
export const wasAskedAgain = (
  letters: readonly { owner_id: string | null; again: boolean }[],
  owner: Pick<OwnerRecord, "id">,
): boolean => letters.some(({ owner_id, again }) => again && owner_id === owner.id);

/** Returns the thread of a letter that replies to an owner's mail. */
export const threadOf = ({ thread_id, id }: MessageRecord) => ({ thread_id, answers: id });
