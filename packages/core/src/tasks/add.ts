import type { NotedEvent, Work } from "../kernel/work.ts";
import { channels } from "../kernel/work.ts";
import type { TaskRecord } from "../model/tasks.ts";
import { momentOfTask } from "./moment.ts";
import { showTask } from "./show.ts";

/** Stores a new task, with `task.received`, and wakes those who wait for work. */
export function addTask(work: Work, task: TaskRecord): void {
  work.append("tasks", [task]);
  work.publish(tellOf("task.received", task));
  work.wake(channels.tasks(task.account_id));
}

/** The event of a task: by its moment where a mail gave it, whole where none did. */
export function tellOf(type: "task.received" | "task.updated", task: TaskRecord): NotedEvent {
  const { inbox_id, message_id } = task;
  if (message_id === null) return { type, inbox_id, data: { task: showTask(task, undefined) } };
  return { type, inbox_id, message_id, data: { task: momentOfTask(task) } };
}
