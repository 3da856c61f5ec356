import type { AccountContext } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import { type Work, wakeTasks } from "../../kernel/work.ts";
import { endTaskLease } from "../../mailbox/threads/index.ts";
import { iso } from "../../model/fields.ts";
import type { TaskRecord } from "../../model/tasks.ts";
import { findTask } from "./find.ts";
import { NEW_TASK, taskEvent } from "./open.ts";

/**
 * Sets a task's status in the caller's transaction, and publishes `task.updated` if it changes. This ends a
 * worker's claim; a task set back to pending starts over. Undefined when the task is gone.
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
  const reset = status === "pending" ? NEW_TASK : { claim: null, claim_token: null };
  return changeTask(work, before, { ...reset, status }, now);
}

/**
 * Changes a task and does what follows: ends the lease of an ended claim on its thread, removes its job, publishes, wakes waiting
 * workers.
 */
export async function changeTask(
  work: Work,
  before: TaskRecord,
  change: Partial<TaskRecord>,
  now: Date,
): Promise<TaskRecord | undefined> {
  const { status } = change;
  const done = status === undefined ? {} : { done_at: status === "done" ? iso(now) : null };
  const [changed] = await work.update(
    "tasks",
    { id: before.id },
    { ...change, ...done, updated_at: iso(now) },
  );
  if (changed === undefined) return undefined;
  if (before.claim !== null && changed.claim === null) {
    await endTaskLease(work, before.thread_id, before.claim_token);
    // Other tasks of its thread can be claimed again.
    if (before.thread_id !== null) wakeTasks(work, changed);
    await work.delete("jobs", { subject_id: changed.id, kind: "task.lease" });
  }
  if (changed.status === before.status) return changed;
  work.publish(taskEvent("task.updated", changed));
  if (changed.status === "pending") wakeTasks(work, changed);
  return changed;
}

/** Like `moveTask`, for a task that the caller may see. Fails with `task_not_found`. */
export async function moveOwn(
  ctx: AccountContext,
  work: Work,
  id: string,
  status: TaskRecord["status"],
): Promise<TaskRecord> {
  await findTask(ctx, work, id);
  const moved = await moveTask(work, id, status, ctx.now);
  if (moved === undefined) throw notFound("task_not_found", "tsk", id);
  return moved;
}
