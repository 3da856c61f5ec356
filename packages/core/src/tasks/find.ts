import type { AccountContext } from "../kernel/context.ts";
import { notFound } from "../kernel/gate.ts";
import type { TaskRecord } from "../model/tasks.ts";
import type { StorageReader } from "../ports/storage.ts";

/** A task that the caller may see, else `task_not_found`. */
export async function findTask(
  { account_id, caller }: AccountContext,
  storage: Pick<StorageReader, "get">,
  id: string,
): Promise<TaskRecord> {
  const task = await storage.get("tasks", id);
  const visible =
    task?.account_id === account_id && (caller.inbox_id === null || caller.inbox_id === task.inbox_id);
  if (task === undefined || !visible) throw notFound("task_not_found", "tsk", id);
  return task;
}

/** Fails with `inbox_not_found` for an inbox of somebody else. */
export async function checkInbox({ storage, account_id }: AccountContext, inbox_id: string): Promise<void> {
  const inbox = await storage.get("inboxes", inbox_id);
  if (inbox?.account_id !== account_id) throw notFound("inbox_not_found", "inb", inbox_id);
}
