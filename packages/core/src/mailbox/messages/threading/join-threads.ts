import type { Services } from "../../../kernel/context.ts";
import { storedForms } from "../../../kernel/inbox/references.ts";
import type { Work } from "../../../kernel/work.ts";
import { messageIdKey } from "../../../model/message-id.ts";
import type { MessageRecord } from "../../../model/messages.ts";
import type { ThreadRecord } from "../../../model/threads.ts";
import type { Transaction, Where } from "../../../ports/storage.ts";
import { searchDocument } from "../store.ts";
import { mergeParticipants } from "./attach.ts";
import { referencesOf } from "./references.ts";

/**
 * The number of references noted for a mail that opens a thread: the last ones are the nearest mails that it follows.
 */
const MAX_AWAITED = 10;
/** Threads that join the thread of one mail. */
const MAX_JOINED = 20;
/** A larger thread stays where it is: joining two is part of storing one mail. */
const MAX_MOVED_MESSAGES = 50;
const MAX_MOVED_BYTES = 1024 * 1024;

/** Notes the mails that a message follows and that aren't here, so that its thread joins theirs when they arrive. */
export function awaitReferences(work: Work, message: MessageRecord): void {
  const { id, inbox_id, message_id, in_reply_to, references } = message;
  if (in_reply_to === null && references.length === 0) return;
  const named = new Set([...references, in_reply_to].filter((reference) => reference !== null));
  named.delete(message_id ?? "");
  if (named.size === 0) return;
  work.append(
    "awaited_references",
    awaitedOf([...named]).map((reference) => ({ inbox_id, reference, message_id: id })),
  );
}

/** The references that are noted of a mail's, in the form that is compared. */
const awaitedOf = (references: readonly string[]): string[] => [
  ...new Set(references.slice(-MAX_AWAITED).map(messageIdKey)),
];

/**
 * Whether replies to a mail arrived in an inbox before it. Read before the transaction: nearly always there are none,
 * and reading a gap there would make unrelated transactions conflict. Where reads are cached, mail to an inbox that
 * awaits nothing at all reads nothing.
 */
export function isAwaited(
  { storage, cachedRead }: Pick<Services, "storage" | "cachedRead">,
  inbox_id: string,
  message_id: string | null,
): boolean | Promise<boolean> {
  if (message_id === null) return false;
  const isAny = async (where: Where<"awaited_references">) =>
    (await storage.count("awaited_references", where, 1)) > 0;
  const isThisOneAwaited = () => isAny({ inbox_id, reference: { in: storedForms(message_id) } });
  if (storage.version === undefined) return isThisOneAwaited();
  const read = async () => ({ any: await isAny({ inbox_id }) });
  const awaits = cachedRead(`awaits ${inbox_id}`, ["awaited_references"], read);
  if (awaits instanceof Promise) return awaits.then((found) => found?.any !== false && isThisOneAwaited());
  return awaits.any && isThisOneAwaited();
}

/**
 * Returns the threads of an inbox with mail that follows one of these, which weren't here when it came: of replies to a
 * mail that arrives after them, or of siblings that follow the same.
 */
export async function findAwaitingThreads(
  tx: Transaction,
  inbox_id: string,
  message_ids: readonly string[],
): Promise<ThreadRecord[]> {
  if (message_ids.length === 0) return [];
  const rows = await tx.find("awaited_references", {
    where: { inbox_id, reference: { in: message_ids.slice(-MAX_AWAITED).flatMap(storedForms) } },
    order: { by: "message_id", direction: "asc" },
    limit: MAX_JOINED,
  });
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.message_id);
  const replies = await tx.find("messages", { where: { id: { in: ids } }, limit: ids.length });
  const thread_ids = [...new Set(replies.map(({ thread_id }) => thread_id))];
  const threads = await Promise.all(thread_ids.map((id) => tx.get("threads", id)));
  return threads.filter((thread) => thread !== undefined);
}

/**
 * Moves the messages of a thread to another one of the same inbox, with their tasks and search data, and returns the
 * updated thread. A long thread is left as it is. Drafts find the thread again when they are sent, by their
 * references.
 */
export async function joinThreads(work: Work, into: ThreadRecord, from: ThreadRecord): Promise<ThreadRecord> {
  if (from.message_count > MAX_MOVED_MESSAGES) return into;
  const messages = await work.find("messages", {
    where: { thread_id: from.id },
    order: { by: "id", direction: "asc" },
    limit: MAX_MOVED_MESSAGES,
  });
  if (messages.reduce((sum, { size_bytes }) => sum + size_bytes, 0) > MAX_MOVED_BYTES) return into;
  const ids = messages.map(({ id }) => id);
  const [{ id: thread_id, inbox_id }, own] = [
    into,
    messages.flatMap((message) => [...referencesOf(message), message.message_id ?? ""]),
  ];
  const bodies = await work.find("message_bodies", { where: { message_id: { in: ids } }, limit: ids.length });

  await work.update("messages", { id: { in: ids } }, { thread_id });
  await work.update(
    "message_references",
    { inbox_id, reference: { in: own }, message_id: { in: ids } },
    { thread_id },
  );
  await work.update("tasks", { message_id: { in: ids } }, { thread_id });
  await work.update("tasks", { awaited_message_id: { in: ids } }, { thread_id });
  await work.update("expectations", { thread_id: from.id }, { thread_id });
  await work.update("update_threads", { thread_id: from.id }, { thread_id });
  await work.update("trash", { thread_id: from.id }, { thread_id, group_id: null });
  work.unindex(ids);
  work.index(
    messages.flatMap((message) => {
      const body = bodies.find(({ message_id }) => message_id === message.id);
      return body === undefined ? [] : [searchDocument({ ...message, thread_id }, body)];
    }),
  );
  await work.delete("threads", { id: from.id });
  const [joined] = await work.update(
    "threads",
    { id: thread_id },
    {
      participants: messages.reduce(mergeParticipants, into.participants),
      message_count: { add: from.message_count },
      unread_count: { add: from.unread_count },
      attachment_count: { add: from.attachment_count },
      last_message_id: latest(into.last_message_id, from.last_message_id) ?? into.last_message_id,
      folder: from.folder === "inbox" ? "inbox" : into.folder,
      labels: [...new Set([...into.labels, ...from.labels])],
      untrusted: into.untrusted || from.untrusted,
      received_at: latest(into.received_at, from.received_at),
      sent_at: latest(into.sent_at, from.sent_at),
      loop_stopped_at: latest(into.loop_stopped_at, from.loop_stopped_at),
      last_human_message_id: latest(into.last_human_message_id, from.last_human_message_id),
    },
  );
  return joined ?? into;
}

/** The later of two times, or of two ids, which sort by time. */
const latest = (a: string | null, b: string | null): string | null =>
  a === null || (b !== null && b > a) ? b : a;
