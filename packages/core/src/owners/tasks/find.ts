import { reaches } from "../../kernel/access/caller.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import type { TaskRecord } from "../../model/tasks.ts";
import type { StorageReader } from "../../ports/storage.ts";

/** Returns a task that the caller may see. Fails with `task_not_found`. */
export async function findTask(
  { caller }: AccountContext,
  storage: Pick<StorageReader, "get">,
  id: string,
): Promise<TaskRecord> {
  const task = await storage.get("tasks", id);
  if (task === undefined || !reaches(caller, task)) throw notFound("task_not_found", "tsk", id);
  // Those of an inbox in the trash stay until it is gone.
  if ((await storage.get("inboxes", task.inbox_id)) === undefined)
    throw notFound("task_not_found", "tsk", id);
  return task;
}
