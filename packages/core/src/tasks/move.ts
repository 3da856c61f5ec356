import { iso } from "../schema.ts";
import { channels, type Work } from "../unit-of-work.ts";
import type { TaskRecord } from "./schema.ts";
import { showTask } from "./show.ts";

/** Moves a task in the caller's transaction, with `task.updated` when that changes its status. Undefined when it is gone. */
export async function moveTask(work: Work, id: string, status: TaskRecord["status"], now: Date): Promise<TaskRecord | undefined> {
  const before = await work.get("tasks", id);
  const [moved] = await work.update("tasks", { id }, { status, updated_at: iso(now) });
  if (moved === undefined) return undefined;
  if (before?.status === status) return moved;
  work.publish({ type: "task.updated", inbox_id: moved.inbox_id, data: { task: showTask(moved) } });
  if (status === "pending") work.wake(channels.tasks(moved.account_id));
  return moved;
}
