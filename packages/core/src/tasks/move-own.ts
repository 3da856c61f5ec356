import type { AccountContext } from "../kernel/context.ts";
import { notFound } from "../kernel/gate.ts";
import type { Work } from "../kernel/work.ts";
import type { TaskRecord } from "../model/tasks.ts";
import { findTask } from "./find.ts";
import { moveTask } from "./move.ts";

/** Moves a task that the caller may see, in the caller's transaction. Fails with `task_not_found`. */
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
