import { notFound } from "../kernel/gate.ts";
import type { ThreadRecord } from "../model/threads.ts";
import type { StorageReader } from "../ports/storage.ts";

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
