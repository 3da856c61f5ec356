import type { Work } from "../kernel/work.ts";
import { previewOf } from "../mail/new-words/preview.ts";
import { iso } from "../model/fields.ts";
import type { MessageRecord } from "../model/messages.ts";

const newestRead = 50;

/**
 * Takes deleted messages out of what their thread says of itself: counts, newest message and its moment, and
 * the preview, which skips held mail. A thread without messages goes too, and an update's next letter then
 * opens a new one.
 */
export async function repairThread(
  work: Work,
  thread_id: string,
  deleted: readonly MessageRecord[],
  now: Date,
): Promise<void> {
  const newest = await work.find("messages", {
    where: { thread_id },
    order: { by: "id", direction: "desc" },
    limit: newestRead,
  });
  const [last] = newest;
  if (last === undefined) {
    await work.delete("threads", { id: thread_id });
    await work.delete("update_threads", { thread_id });
    return;
  }
  await work.update(
    "threads",
    { id: thread_id },
    {
      message_count: { add: -deleted.length },
      unread_count: { add: -deleted.filter(({ labels }) => labels.includes("unread")).length },
      attachment_count: { add: -deleted.reduce((sum, { attachments }) => sum + attachments.length, 0) },
      last_message_id: last.id,
      preview: previewOf(newest.find(({ labels }) => !labels.includes("held"))?.extracted_text ?? ""),
      ...momentOf("received_at", newest, "inbound"),
      ...momentOf("sent_at", newest, "outbound"),
      updated_at: iso(now),
    },
  );
}

/** When the newest message of a direction was; nothing when that lies behind what was read. */
function momentOf(
  column: "received_at" | "sent_at",
  newest: readonly MessageRecord[],
  direction: MessageRecord["direction"],
) {
  const last = newest.find((message) => message.direction === direction);
  if (last === undefined && newest.length === newestRead) return {};
  return { [column]: last?.created_at ?? null };
}
