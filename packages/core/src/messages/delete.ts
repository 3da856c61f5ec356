import type { Work } from "../kernel/work.ts";
import type { MessageRecord } from "../model/messages.ts";
import { collectLater } from "./collect-blobs.ts";
import { failDraftsOf } from "./fail-draft.ts";
import { repairThread } from "./repair-thread.ts";
import { hashesOf } from "./store.ts";
import { termsOf } from "./terms.ts";

/**
 * Deletes messages with all that hangs on them: bodies, filter words, references, search words, and bytes
 * that nothing else uses. What there is follows from the messages themselves, so the side tables need no
 * index to find it by message.
 */
export async function deleteMessages(
  work: Work,
  messages: readonly MessageRecord[],
  now: Date,
): Promise<void> {
  const ids = messages.map(({ id }) => id);
  if (ids.length === 0) return;
  const hashes = distinct(messages.flatMap(hashesOf));
  await work.delete("blob_uses", { hash: { in: hashes }, message_id: { in: ids } });
  for (const [inbox_id, here] of Map.groupBy(messages, (message) => message.inbox_id)) {
    const references = here.flatMap(({ message_id }) => message_id ?? []);
    await work.delete("message_terms", {
      inbox_id,
      term: { in: distinct(here.flatMap(termsOf)) },
      message_id: { in: ids },
    });
    await work.delete("message_references", {
      inbox_id,
      reference: { in: references },
      message_id: { in: ids },
    });
  }
  await work.delete("message_bodies", { message_id: { in: ids } });
  await work.delete("messages", { id: { in: ids } });
  work.unindex(ids);
  collectLater(work, hashes, now);
}

/** Deletes messages of one thread with their tasks and what is still to be sent, and mends the thread. */
export async function deleteFromThread(
  work: Work,
  thread_id: string,
  messages: readonly MessageRecord[],
  now: Date,
): Promise<void> {
  const ids = messages.map(({ id }) => id);
  if (ids.length === 0) return;
  await deleteMessages(work, messages, now);
  await work.delete("tasks", { message_id: { in: ids } });
  await failDraftsOf(work, ids);
  await work.delete("jobs", { subject_id: { in: ids }, kind: "message.send" });
  await repairThread(work, thread_id, messages, now);
}

const distinct = (words: readonly string[]): string[] => [...new Set(words)];
