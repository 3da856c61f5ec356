import { iso } from "../schema.ts";
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

/** Deletes one message and mends its thread: counts, newest message and preview; a thread without messages goes too. */
export async function deleteMessage(work: Work, message: MessageRecord, now: Date): Promise<void> {
  await deleteMessages(work, [message], now);
  await work.delete("tasks", { message_id: message.id });
  await work.delete("jobs", { subject_id: message.id, kind: "message.send" });
  const { thread_id } = message;
  const [newest] = await work.find("messages", { where: { thread_id }, order: { by: "id", direction: "desc" }, limit: 1 });
  if (newest === undefined) {
    await work.delete("threads", { id: thread_id });
    return;
  }
  await work.update(
    "threads",
    { id: thread_id },
    {
      message_count: { add: -1 },
      unread_count: { add: message.labels.includes("unread") ? -1 : 0 },
      attachment_count: { add: -message.attachments.length },
      last_message_id: newest.id,
      preview: newest.labels.includes("held") ? "" : newest.preview,
      updated_at: iso(now),
    },
  );
}
