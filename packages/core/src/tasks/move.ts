import type { Work } from "../kernel/work.ts";
import { channels } from "../kernel/work.ts";
import { iso } from "../model/fields.ts";
import type { TaskRecord } from "../model/tasks.ts";
import { taskEvent } from "./add.ts";
import { newTask } from "./open.ts";

/**
 * Moves a task in the caller's transaction, with `task.updated` when that changes its status. A move takes
 * the task out of a worker's hands, and back to pending it begins anew. Undefined when it is gone.
 */
export async function moveTask(
  work: Work,
  id: string,
  status: TaskRecord["status"],
  now: Date,
): Promise<TaskRecord | undefined> {
  const before = await work.get("tasks", id);
  if (before === undefined) return undefined;
  if (before.status === status) return changeTask(work, before, {}, now);
  const anew = status === "pending" ? newTask : { claim: null, claim_token: null };
  return changeTask(work, before, { ...anew, status }, now);
}

/**
 * Writes a change of a task, with what follows from it: its lease ends with its claim, listeners hear, and
 * waiting workers wake.
 */
export async function changeTask(
  work: Work,
  before: TaskRecord,
  change: Partial<TaskRecord>,
  now: Date,
): Promise<TaskRecord | undefined> {
  const [changed] = await work.update("tasks", { id: before.id }, { ...change, updated_at: iso(now) });
  if (changed === undefined) return undefined;
  if (before.claim !== null && changed.claim === null)
    await work.delete("jobs", { subject_id: changed.id, kind: "task.lease" });
  if (changed.status === before.status) return changed;
  work.publish(taskEvent("task.updated", changed));
  if (changed.status === "pending") work.wake(channels.tasks(changed.account_id));
  return changed;
}
