import type { PendingEvent, Work } from "../kernel/work.ts";
import { channels } from "../kernel/work.ts";
import type { TaskRecord } from "../model/tasks.ts";
import { showTask } from "./show.ts";
import { snapshotOfTask } from "./snapshot.ts";

/** Stores a new task, with `task.received`, and wakes those who wait for work. */
export function addTask(work: Work, task: TaskRecord): void {
  work.append("tasks", [task]);
  work.publish(taskEvent("task.received", task));
  work.wake(channels.tasks(task.account_id));
}

/** The event of a task: by its moment where a mail gave it, whole where none did. */
export function taskEvent(type: "task.received" | "task.updated", task: TaskRecord): PendingEvent {
  const { inbox_id, message_id } = task;
  if (message_id === null) return { type, inbox_id, data: { task: showTask(task, undefined) } };
  return { type, inbox_id, message_id, data: { task: snapshotOfTask(task) } };
}
