import type { Work } from "../../../kernel/work.ts";
import { channels, wakeTasks } from "../../../kernel/work.ts";
import { iso } from "../../../model/fields.ts";
import type { InboxRecord } from "../../../model/inboxes.ts";
import type { MessageBodyRecord, MessageRecord } from "../../../model/messages.ts";
import type { TaskRecord } from "../../../model/tasks.ts";
import type { ThreadRecord } from "../../../model/threads.ts";
import type { TrashRecord } from "../../../model/trash.ts";
import { attentionOf } from "../rules.ts";
import { appendFindable } from "../store.ts";
import { isReady } from "../terms.ts";
import { addToThread, mergeParticipants } from "../threading/attach.ts";
import { publishFolder } from "../threading/folder.ts";
import { awaitReferences, findAwaitingThreads, joinThreads } from "../threading/join-threads.ts";
import { recountThread } from "../threading/recount-thread.ts";

/**
 * Puts trashed messages of one thread back, oldest first, with their tasks; a thread that went to the trash with its
 * last message comes back too. Replies that came meanwhile join it. What was scheduled or queued stays unsent. Returns
 * the messages.
 */
export async function restoreMessages(
  work: Work,
  inbox: InboxRecord,
  trashed: readonly TrashRecord[],
  now: Date,
): Promise<MessageRecord[]> {
  const [first] = trashed;
  if (first === undefined) return [];
  await work.delete("trash", { id: { in: trashed.map(({ id }) => id) } });
  const messages: MessageRecord[] = [];
  for (const each of trashed) messages.push(await putBack(work, inbox, each));
  const thread = await threadFor(work, first.thread_id ?? "", messages, now);
  await joinReplies(work, thread, messages);
  for (const message of messages) if (isReady(message)) work.wake(channels.inbox(inbox.id));
  return messages;
}

/** Fields that tasks lack which an older version moved to the trash. */
const ADDED_TO_TASKS: Partial<TaskRecord> = { done_at: null };

/**
 * Puts one message back; what an older version moved to the trash gets the attention that it needs. Meanwhile another may have taken what no two messages share: a retry of the same mail, or a
 * send with the same client_id. That one keeps it.
 */
async function putBack(work: Work, inbox: InboxRecord, trashed: TrashRecord): Promise<MessageRecord> {
  const { id, account_id, inbox_id, thread_id } = trashed;
  const stored = { ...trashed.record, id, account_id, inbox_id, thread_id } as MessageRecord;
  const message = "attention" in trashed.record ? stored : { ...stored, attention: attentionOf(stored) };
  const free = { ...message, dedupe_key: null, client_id: null };
  const is_back = (await work.insert("messages", message)).inserted;
  const restored = is_back ? message : (await work.insert("messages", free)).record;
  const body = { ...trashed.body, message_id: id } as MessageBodyRecord;
  appendFindable(work, restored, body, undefined, inbox.email);
  awaitReferences(work, restored);
  if (trashed.tasks.length > 0) {
    work.append(
      "tasks",
      trashed.tasks.map((task) => ({
        ...ADDED_TO_TASKS,
        ...task,
        account_id,
        inbox_id,
        thread_id: restored.thread_id,
      })),
    );
    wakeTasks(work, restored);
  }
  return restored;
}

/** The thread of restored messages, counted anew: as it is, as the trash has it, or opened by the oldest of them. */
async function threadFor(
  work: Work,
  thread_id: string,
  messages: readonly MessageRecord[],
  now: Date,
): Promise<ThreadRecord> {
  const [oldest] = messages as [MessageRecord];
  let thread = await work.get("threads", thread_id);
  let added = messages;
  if (thread === undefined) {
    const trashed = await work.get("trash", thread_id);
    await work.delete("trash", { id: thread_id });
    if (trashed === undefined) {
      thread = await addToThread(work, undefined, oldest, { human: false, trusted: false });
      added = messages.slice(1);
    } else {
      const { account_id, inbox_id } = trashed;
      const counts = { message_count: 0, unread_count: 0, attachment_count: 0 };
      thread = { ...trashed.record, id: thread_id, account_id, inbox_id, ...counts } as ThreadRecord;
      work.append("threads", [thread]);
      publishFolder(work, { ...thread, folder: "trash" }, thread.folder);
    }
  }
  await recountThread(work, thread_id, { added }, now);
  const participants = messages.reduce(mergeParticipants, thread.participants);
  const [counted] = await work.update("threads", { id: thread_id }, { participants, updated_at: iso(now) });
  return counted ?? thread;
}

const NAMED_AT_ONCE = 10;

/** Joins the threads of replies that came while the mails that they answer were in the trash. */
async function joinReplies(
  work: Work,
  thread: ThreadRecord,
  messages: readonly MessageRecord[],
): Promise<void> {
  const named = messages.flatMap(({ message_id }) => message_id ?? []);
  let joined = thread;
  for (let at = 0; at < named.length; at += NAMED_AT_ONCE)
    for (const replies of await findAwaitingThreads(
      work,
      thread.inbox_id,
      named.slice(at, at + NAMED_AT_ONCE),
    ))
      if (replies.id !== thread.id && (await work.get("threads", replies.id)) !== undefined)
        joined = await joinThreads(work, joined, replies);
}
