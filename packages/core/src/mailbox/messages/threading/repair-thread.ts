import type { Work } from "../../../kernel/work.ts";
import { previewOf } from "../../../mail/reply-extraction/preview.ts";
import { iso } from "../../../model/fields.ts";
import type { MessageRecord } from "../../../model/messages.ts";

const NEWEST_READ = 50;

/**
 * Updates a thread after messages were deleted: counts, newest message, times, and the preview, which skips
 * held mail. A thread without messages is deleted too; an update's next letter then opens a new one.
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
    limit: NEWEST_READ,
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
      ...newestTime("received_at", newest, "inbound"),
      ...newestTime("sent_at", newest, "outbound"),
      updated_at: iso(now),
    },
  );
}

/** The time of the newest message of a direction; unchanged when it may be older than what was read. */
function newestTime(
  column: "received_at" | "sent_at",
  newest: readonly MessageRecord[],
  direction: MessageRecord["direction"],
) {
  const last = newest.find((message) => message.direction === direction);
  if (last === undefined && newest.length === NEWEST_READ) return {};
  return { [column]: last?.created_at ?? null };
}
