import { fail } from "../../catalogue/errors.ts";
import { idFloor, isId, timeOfId } from "../../catalogue/ids.ts";
import { notFound } from "../../kernel/gate.ts";
import type { StoredAttachment } from "../../model/attachments.ts";
import type { ThreadRecord } from "../../model/threads.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { isHeld } from "../messages/show.ts";

/** A thread of the inbox. Fails with `thread_not_found`. */
export async function findThread(
  storage: StorageReader,
  inbox_id: string,
  id: string,
): Promise<ThreadRecord> {
  const thread = await storage.get("threads", id);
  if (thread === undefined || thread.inbox_id !== inbox_id) throw notFound("thread_not_found", "thr", id);
  return thread;
}

const BATCH_SIZE = 100;
/** An attachment's id is made before its message's, by a process whose clock may be this far ahead. */
const MAX_CLOCK_SKEW_MS = 60_000;

/** An attachment of any message of a thread. Fails with `attachment_not_found` or `message_held`. */
export async function threadAttachment(
  storage: StorageReader,
  thread: ThreadRecord,
  id: string,
): Promise<StoredAttachment> {
  if (!isId("att", id)) throw notFound("attachment_not_found", "att", id);
  for (let last = idFloor("msg", new Date(timeOfId(id).getTime() - MAX_CLOCK_SKEW_MS)); ; ) {
    const messages = await storage.find("messages", {
      where: { thread_id: thread.id, id: { gt: last } },
      order: { by: "id", direction: "asc" },
      limit: BATCH_SIZE,
    });
    for (const message of messages) {
      const attachment = message.attachments.find((each) => each.id === id);
      if (attachment !== undefined && isHeld(message)) throw fail("message_held");
      if (attachment !== undefined) return attachment;
    }
    last = messages.at(-1)?.id ?? last;
    if (messages.length < BATCH_SIZE) throw notFound("attachment_not_found", "att", id);
  }
}
