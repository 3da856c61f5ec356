import { openInboxes } from "../../kernel/inbox/find.ts";
import { findWithin } from "../../kernel/page.ts";
import type { TaskRecord } from "../../model/tasks.ts";
import type { StorageReader, Where } from "../../ports/storage.ts";

const BATCH_SIZE = 100;

/**
 * Tasks in the order of their ids, without those of inboxes in the trash, which stay until their inbox is gone: at most
 * `limit`, after a position.
 */
export async function findOpenTasks(
  storage: StorageReader,
  where: Where<"tasks">,
  direction: "asc" | "desc",
  after: string | undefined,
  limit: number,
): Promise<TaskRecord[]> {
  const found: TaskRecord[] = [];
  let read = limit;
  for (let last = after; ; read = BATCH_SIZE) {
    const beyond = direction === "asc" ? { gt: last ?? "" } : last === undefined ? undefined : { lt: last };
    const tasks = await findWithin(storage, "tasks", {
      where: { ...where, ...(beyond === undefined ? {} : { id: beyond }) },
      order: { by: "id", direction },
      limit: read,
    });
    const open = await openInboxes(storage, tasks);
    found.push(...tasks.filter(({ inbox_id }) => open.has(inbox_id)));
    if (found.length >= limit || tasks.length < read) return found.slice(0, limit);
    last = tasks.at(-1)?.id;
  }
}
