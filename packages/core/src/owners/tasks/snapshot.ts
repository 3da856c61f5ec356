import type { DeletedTask, TaskSnapshot } from "../../model/events.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { Task, TaskRecord } from "../../model/tasks.ts";
import { resultOf, showTask } from "./show.ts";

/** The fields of a task that may change later, as they are now. */
export const snapshotOfTask = (task: TaskRecord): TaskSnapshot => {
  const { id, thread_id, status, claim, attempts, last_error, updated_at } = task;
  return { id, thread_id, status, claim, attempts, last_error, result: resultOf(task), updated_at };
};

/** A task as events show it: as it was at the time of the event. */
export const showTaskSnapshot = (snapshot: TaskSnapshot, task: TaskRecord, message: MessageRecord): Task =>
  showTask(task, message, snapshot);

/**
 * Returns the public form in events of a task that was deleted with its mail: ids and status, and none of the mail's
 * text.
 */
export function showDeletedTask(
  snapshot: TaskSnapshot,
  { message_id, inbox_id }: Pick<DeletedTask, "message_id" | "inbox_id">,
): DeletedTask {
  return {
    object: "task",
    inbox_id,
    message_id,
    ...snapshot,
    sender: null,
    subject: null,
    text: null,
    deleted: true,
  };
}
