import { releaseDrafts } from "../drafts/send-draft.ts";
import { mendThread } from "../threads/mend.ts";
import type { Work } from "../unit-of-work.ts";
import { collectLater } from "./collect-blobs.ts";
import type { MessageRecord } from "./schema.ts";

const usesRead = 10_000;

/** Deletes messages with all that hangs on them: bodies, filter words, references, search words, and bytes that nothing else uses. */
export async function deleteMessages(work: Work, messages: readonly MessageRecord[], now: Date): Promise<void> {
  const ids = messages.map(({ id }) => id);
  if (ids.length === 0) return;
  const uses = await work.find("blob_uses", { where: { message_id: { in: ids } }, limit: usesRead });
  await work.delete("blob_uses", { message_id: { in: ids } });
  await work.delete("message_terms", { message_id: { in: ids } });
  await work.delete("message_references", { message_id: { in: ids } });
  await work.delete("message_bodies", { message_id: { in: ids } });
  await work.delete("messages", { id: { in: ids } });
  work.unindex(ids);
  collectLater(
    work,
    uses.map(({ hash }) => hash),
    now,
  );
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
  await releaseDrafts(work, ids, now);
  await work.delete("jobs", { subject_id: { in: ids }, kind: "message.send" });
  await mendThread(work, thread_id, messages, now);
}
