import type { Work } from "../../../kernel/work.ts";
import { previewOf } from "../../../mail/reply-extraction/preview.ts";
import { iso } from "../../../model/fields.ts";
import type { MessageRecord } from "../../../model/messages.ts";

const NEWEST_READ = 50;

/**
 * Updates a thread after messages left it or came back: counts, newest message, times, and the preview, which skips
 * held mail. A thread without messages is deleted too; an update's next letter then opens a new one. Returns whether
 * there is a thread left.
 */
export async function recountThread(
  work: Work,
  thread_id: string,
  { removed = [], added = [] }: { removed?: readonly MessageRecord[]; added?: readonly MessageRecord[] },
  now: Date,
): Promise<boolean> {
  const newest = await newestOf(work, thread_id);
  const [last] = newest;
  if (last === undefined) {
    await work.delete("threads", { id: thread_id });
    await work.delete("update_threads", { thread_id });
    return false;
  }
  await work.update(
    "threads",
    { id: thread_id },
    {
      message_count: { add: added.length - removed.length },
      unread_count: { add: unreadAmong(added) - unreadAmong(removed) },
      attachment_count: { add: attachmentsOf(added) - attachmentsOf(removed) },
      last_message_id: last.id,
      preview: previewAmong(newest),
      ...newestTime("received_at", newest, "inbound"),
      ...newestTime("sent_at", newest, "outbound"),
      updated_at: iso(now),
    },
  );
  return true;
}

/** Shows in a thread what its newest message says that isn't held. */
export async function refreshPreview(work: Work, thread_id: string): Promise<void> {
  const preview = previewAmong(await newestOf(work, thread_id));
  await work.update("threads", { id: thread_id }, { preview });
}

const newestOf = (work: Work, thread_id: string): Promise<MessageRecord[]> =>
  work.find("messages", {
    where: { thread_id },
    order: { by: "id", direction: "desc" },
    limit: NEWEST_READ,
  });

const previewAmong = (newest: readonly MessageRecord[]): string =>
  previewOf(newest.find(({ labels }) => !labels.includes("held"))?.extracted_text ?? "");

const unreadAmong = (messages: readonly MessageRecord[]): number =>
  messages.filter(({ labels }) => labels.includes("unread")).length;
const attachmentsOf = (messages: readonly MessageRecord[]): number =>
  messages.reduce((sum, { attachments }) => sum + attachments.length, 0);

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
