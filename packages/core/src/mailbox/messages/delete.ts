import { storedForms } from "../../kernel/inbox/references.ts";
import type { Work } from "../../kernel/work.ts";
import type { MessageRecord } from "../../model/messages.ts";
import { uncountMessages } from "../contacts/index.ts";
import { scheduleBlobCollection } from "./collect-blobs.ts";
import { failDraftsOf, SEND_JOBS } from "./outgoing/fail-draft.ts";
import { isHeld } from "./show.ts";
import { blobHashesOf } from "./store.ts";
import { everyTermOf } from "./terms.ts";
import { recountThread } from "./threading/recount-thread.ts";
import { referencesOf } from "./threading/references.ts";

/**
 * Deletes messages with their bodies, filter terms, references, search words, and blobs that nothing else
 * uses. The keys are computed from the messages, so the side tables need no index on the message id.
 */
export async function deleteMessages(
  work: Work,
  messages: readonly MessageRecord[],
  now: Date,
): Promise<void> {
  if (messages.length === 0) return;
  await freeBlobs(work, messages, now);
  await uncountMessages(work, messages);
  await removeRecords(work, messages);
}

/** Frees the blobs of messages, and their bytes of the account's storage; unused blobs are collected later. */
export async function freeBlobs(
  work: Work,
  messages: readonly Pick<MessageRecord, "id" | "raw_hash" | "attachments" | "size_bytes">[],
  now: Date,
): Promise<void> {
  const hashes = distinct(messages.flatMap(blobHashesOf));
  const message_id = { in: messages.map(({ id }) => id) };
  await work.delete("blob_uses", { hash: { in: hashes }, message_id });
  const attachments = distinct(messages.flatMap((each) => each.attachments.map(({ id }) => id)));
  if (attachments.length > 0)
    await work.delete("attachment_places", { attachment_id: { in: attachments }, message_id });
  work.countBytes(-messages.reduce((sum, { size_bytes }) => sum + size_bytes, 0));
  scheduleBlobCollection(work, hashes, now);
}

/** Removes messages with all records by which they are found; their blobs stay in use. */
export async function removeRecords(work: Work, messages: readonly MessageRecord[]): Promise<void> {
  const ids = messages.map(({ id }) => id);
  for (const [inbox_id, here] of Map.groupBy(messages, (message) => message.inbox_id)) {
    const references = here.flatMap((message) => [...referencesOf(message), message.message_id ?? []].flat());
    const followed = here.flatMap(({ references: named, in_reply_to }) =>
      [...named, in_reply_to ?? []].flat().flatMap(storedForms),
    );
    await work.delete("message_terms", {
      inbox_id,
      term: { in: distinct(here.flatMap(everyTermOf)) },
      message_id: { in: ids },
    });
    await work.delete("message_references", {
      inbox_id,
      reference: { in: distinct(references) },
      message_id: { in: ids },
    });
    if (followed.length > 0)
      await work.delete("awaited_references", {
        inbox_id,
        reference: { in: distinct(followed) },
        message_id: { in: ids },
      });
  }
  await work.delete("message_bodies", { message_id: { in: ids } });
  await work.delete("messages", { id: { in: ids } });
  work.unindex(ids);
  withdrawReleases(work, messages);
}

/** Has requests to release these messages withdrawn: nobody can read them any more. */
export function withdrawReleases(work: Pick<Work, "job">, messages: readonly MessageRecord[]): void {
  for (const { id } of messages.filter(isHeld)) work.job({ kind: "approval.withdraw", subject_id: id });
}

/** Deletes messages of one thread with their tasks and pending sends, and updates the thread. */
export async function deleteFromThread(
  work: Work,
  thread_id: string,
  messages: readonly MessageRecord[],
  now: Date,
): Promise<void> {
  const ids = messages.map(({ id }) => id);
  if (ids.length === 0) return;
  await deleteMessages(work, messages, now);
  await endWorkOn(work, ids);
  await recountThread(work, thread_id, { removed: messages }, now);
}

/** Ends what was under way because of messages: their tasks, and the sends that wait. */
export async function endWorkOn(work: Work, message_ids: readonly string[]): Promise<void> {
  const ids = [...message_ids];
  await work.delete("tasks", { message_id: { in: ids } });
  await failDraftsOf(work, ids);
  await work.delete("jobs", { subject_id: { in: ids }, kind: { in: SEND_JOBS } });
}

const distinct = (words: readonly string[]): string[] => [...new Set(words)];
