import type { MakeId } from "../../../catalogue/ids.ts";
import type { Work } from "../../../kernel/work.ts";
import { previewOf } from "../../../mail/reply-extraction/preview.ts";
import { addressKey } from "../../../model/address.ts";
import type { MessageRecord } from "../../../model/messages.ts";
import type { ThreadRecord } from "../../../model/threads.ts";
import { bringBack } from "./folder.ts";

/** The fields of a thread that nobody was assigned to. */
export const UNASSIGNED = {
  ...{ assignee: null, assignment_note: null, claimed_until: null, claim_token: null },
};

const MAX_PARTICIPANTS = 50;

/** The id of the thread that a mail joins or opens, so that the message can carry it before it is stored. */
export const threadIdFor = (thread: ThreadRecord | undefined, makeId: MakeId): string =>
  thread?.id ?? makeId("thr");

/** Adds a stored message to its thread, or opens a thread with it; returns the updated thread. */
export async function addToThread(
  work: Work,
  thread: ThreadRecord | undefined,
  message: MessageRecord,
  facts: { human: boolean; trusted: boolean; update_task_id?: string | null },
): Promise<ThreadRecord> {
  const unread = message.labels.includes("unread") ? 1 : 0;
  const held = message.labels.includes("held");
  const time =
    message.direction === "inbound" ? { received_at: message.created_at } : { sent_at: message.created_at };
  if (thread === undefined) {
    const opened: ThreadRecord = {
      id: message.thread_id,
      account_id: message.account_id,
      inbox_id: message.inbox_id,
      subject: message.subject,
      preview: held ? "" : previewOf(message.extracted_text),
      participants: mergeParticipants([], message),
      message_count: 1,
      unread_count: unread,
      attachment_count: message.attachments.length,
      last_message_id: message.id,
      folder: "inbox",
      labels: [],
      ...UNASSIGNED,
      untrusted: message.direction === "inbound" && !facts.trusted,
      received_at: null,
      sent_at: null,
      ...time,
      created_at: message.created_at,
      updated_at: message.created_at,
      update_task_id: facts.update_task_id ?? null,
      loop_stopped_at: null,
      last_human_message_id: facts.human ? message.id : null,
    };
    work.append("threads", [opened]);
    return opened;
  }
  const [updated] = await work.update(
    "threads",
    { id: thread.id },
    {
      ...(held ? {} : { preview: previewOf(message.extracted_text) }),
      participants: mergeParticipants(thread.participants, message),
      message_count: { add: 1 },
      unread_count: { add: unread },
      attachment_count: { add: message.attachments.length },
      last_message_id: message.id,
      untrusted: thread.untrusted || (message.direction === "inbound" && !facts.trusted),
      ...time,
      updated_at: message.created_at,
      ...bringBack(work, thread, message),
      ...(facts.human ? { last_human_message_id: message.id, loop_stopped_at: null } : {}),
    },
  );
  return updated ?? thread;
}

/** The thread's participants plus the message's, each address once with its newest name; at most 50. */
export function mergeParticipants(
  participants: ThreadRecord["participants"],
  message: MessageRecord,
): ThreadRecord["participants"] {
  const byAddress = new Map(participants.map((person) => [addressKey(person.address), person]));
  for (const address of [message.from, ...message.to, ...message.cc]) {
    if (address === "") continue;
    const key = addressKey(address);
    const name = key === addressKey(message.from) ? message.from_name : null;
    const known = byAddress.get(key);
    if (known === undefined && byAddress.size >= MAX_PARTICIPANTS) continue;
    byAddress.set(key, { address, name: name || (known?.name ?? null) });
  }
  return [...byAddress.values()];
}
