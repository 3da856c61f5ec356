import type { MessageRecord } from "../model/messages.ts";
import type { Task, TaskRecord } from "../model/tasks.ts";
import { showTask } from "./show.ts";

/**
 * What an event keeps of a task that a mail gave: all that may change after it. The rest stands in the task
 * and its mail.
 */
export type TaskSnapshot = Pick<
  TaskRecord,
  "id" | "thread_id" | "status" | "claim" | "attempts" | "last_error" | "result" | "updated_at"
>;

/** What of a task is as it is at this moment. */
export const snapshotOfTask = (task: TaskRecord): TaskSnapshot => {
  const { id, thread_id, status, claim, attempts, last_error, result, updated_at } = task;
  return { id, thread_id, status, claim, attempts, last_error, result, updated_at };
};

/** A task as events carry it, as it was at that moment. */
export const showTaskSnapshot = (moment: TaskSnapshot, task: TaskRecord, message: MessageRecord): Task =>
  showTask({ ...task, ...moment }, message);

/**
 * What an event says of a task that was deleted since, with its mail: its ids and how far it was, and none of
 * the mail's words.
 */
export function showDeletedTask(
  moment: TaskSnapshot,
  { message_id, inbox_id }: { message_id: string; inbox_id: string | null },
) {
  return {
    object: "task",
    inbox_id,
    message_id,
    ...moment,
    sender: null,
    subject: null,
    text: null,
    deleted: true,
  };
}
