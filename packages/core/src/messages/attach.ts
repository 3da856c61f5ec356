import type { MakeId } from "../catalogue/ids.ts";
import { previewOf } from "../mail/new-words/preview.ts";
import type { MessageRecord } from "../model/messages.ts";
import type { ThreadRecord } from "../model/threads.ts";
import type { Transaction } from "../ports/storage.ts";

const participantsMax = 50;
const referencesRead = 100;

/**
 * The thread that a mail belongs to within its inbox, by the Message-IDs it answers; never by subject
 * (decisions, section 6).
 */
export async function findThread(
  tx: Transaction,
  inbox_id: string,
  references: readonly string[],
): Promise<ThreadRecord | undefined> {
  if (references.length === 0) return undefined;
  const known = await tx.find("message_references", {
    where: { inbox_id, reference: { in: [...references] } },
    limit: referencesRead,
  });
  // The last reference is the mail that was answered: its thread wins over the older ones.
  const nearest = references
    .toReversed()
    .flatMap((reference) => known.filter((row) => row.reference === reference))[0];
  return nearest === undefined ? undefined : tx.get("threads", nearest.thread_id);
}

/**
 * An id for the thread that a mail will open or join, so that the message can name it before it is stored.
 */
export const threadIdFor = (thread: ThreadRecord | undefined, makeId: MakeId): string =>
  thread?.id ?? makeId("thr");

/** Adds a stored message to its thread, or opens the thread with it; answers the thread as it now is. */
export async function addToThread(
  tx: Transaction,
  thread: ThreadRecord | undefined,
  message: MessageRecord,
  facts: { human: boolean; trusted: boolean; update_task_id?: string | null },
): Promise<ThreadRecord> {
  const unread = message.labels.includes("unread") ? 1 : 0;
  const held = message.labels.includes("held");
  const moment =
    message.direction === "inbound" ? { received_at: message.created_at } : { sent_at: message.created_at };
  if (thread === undefined) {
    const opened: ThreadRecord = {
      id: message.thread_id,
      account_id: message.account_id,
      inbox_id: message.inbox_id,
      subject: message.subject,
      preview: held ? "" : previewOf(message.extracted_text),
      participants: withParticipants([], message),
      message_count: 1,
      unread_count: unread,
      attachment_count: message.attachments.length,
      last_message_id: message.id,
      labels: [],
      untrusted: message.direction === "inbound" && !facts.trusted,
      received_at: null,
      sent_at: null,
      ...moment,
      created_at: message.created_at,
      updated_at: message.created_at,
      update_task_id: facts.update_task_id ?? null,
      loop_stopped_at: null,
      last_human_message_id: facts.human ? message.id : null,
    };
    tx.append("threads", [opened]);
    return opened;
  }
  const [updated] = await tx.update(
    "threads",
    { id: thread.id },
    {
      ...(held ? {} : { preview: previewOf(message.extracted_text) }),
      participants: withParticipants(thread.participants, message),
      message_count: { add: 1 },
      unread_count: { add: unread },
      attachment_count: { add: message.attachments.length },
      last_message_id: message.id,
      untrusted: thread.untrusted || (message.direction === "inbound" && !facts.trusted),
      ...moment,
      updated_at: message.created_at,
      ...(facts.human ? { last_human_message_id: message.id, loop_stopped_at: null } : {}),
    },
  );
  return updated ?? thread;
}

/** The people of a thread, each address once, with the newest name it went by; bounded. */
export function withParticipants(
  participants: ThreadRecord["participants"],
  message: MessageRecord,
): ThreadRecord["participants"] {
  const byAddress = new Map(participants.map((person) => [person.address, person]));
  for (const address of [message.from, ...message.to, ...message.cc]) {
    const name = address === message.from ? (message.from_name ?? "") : "";
    const known = byAddress.get(address);
    if (known === undefined && byAddress.size >= participantsMax) continue;
    byAddress.set(address, { address, name: name === "" ? (known?.name ?? "") : name });
  }
  return [...byAddress.values()];
}
