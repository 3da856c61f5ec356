import type { Work } from "../../../kernel/work.ts";
import type { MessageRecord } from "../../../model/messages.ts";
import type { ThreadFolder, ThreadRecord } from "../../../model/threads.ts";

/** The change that brings an archived thread back to the inbox when mail comes; old mail that is imported doesn't. */
export function bringBack(
  work: Work,
  thread: ThreadRecord,
  { direction, labels }: Pick<MessageRecord, "direction" | "labels">,
): { folder?: "inbox" } {
  if (thread.folder !== "archive" || direction !== "inbound" || labels.includes("imported")) return {};
  publishFolder(work, thread, "inbox");
  return { folder: "inbox" };
}

/** Publishes that a thread was moved to a folder. */
export function publishFolder(
  work: Pick<Work, "publish">,
  { id: thread_id, inbox_id, folder: previous }: Pick<ThreadRecord, "id" | "inbox_id" | "folder">,
  folder: ThreadFolder,
): void {
  work.publish({ type: "thread.folder_updated", inbox_id, data: { thread_id, folder, previous } });
}
