import { LIMITS } from "../../catalogue/limits.ts";
import { isHeld, truncate } from "../../mailbox/messages/index.ts";
import { shownBy } from "../../model/fields.ts";
import type { MessageRecord } from "../../model/messages.ts";
import { Task, type TaskRecord } from "../../model/tasks.ts";
import type { StorageReader } from "../../ports/storage.ts";

/** A task with its text, and its result as the worker stated it. */
type WordedTask = Omit<TaskRecord, "text" | "result"> & { text: string; result: unknown };

/**
 * A task as shown in answers and events, with the text of its message; `as_it_was` are its fields at the time of an
 * event.
 */
export const showTask = (
  task: TaskRecord,
  message: MessageRecord | undefined,
  as_it_was: Partial<WordedTask> = {},
): Task =>
  taskOf({
    ...withWords(task, message),
    ...as_it_was,
    object: "task",
    content_trust: "untrusted_data",
  });

/** The result of a stored task: any JSON. */
export const resultOf = ({ result }: Pick<TaskRecord, "result">): unknown =>
  result === null ? null : JSON.parse(result);

const taskOf = shownBy(Task);

/** Adds the texts to tasks, from their messages, and reads their results. */
export async function wordTasks(storage: StorageReader, tasks: readonly TaskRecord[]): Promise<WordedTask[]> {
  const ids = tasks.flatMap(({ text, message_id }) =>
    text === null && message_id !== null ? [message_id] : [],
  );
  const messages =
    ids.length === 0 ? [] : await storage.find("messages", { where: { id: { in: ids } }, limit: ids.length });
  const byId = new Map(messages.map((message) => [message.id, message]));
  return tasks.map((task) => withWords(task, byId.get(task.message_id ?? "")));
}

/** Adds the text to a task. */
export async function wordTask(storage: StorageReader, task: TaskRecord): Promise<WordedTask> {
  const [worded] = await wordTasks(storage, [task]);
  return worded as WordedTask;
}

/**
 * A task is deleted with its message, so the only tasks without text are one just being deleted, and one whose
 * voicemail is held since its transcript arrived.
 */
function withWords(task: TaskRecord, message: MessageRecord | undefined): WordedTask {
  const words = message === undefined || isHeld(message) ? "" : message.extracted_text;
  const text = task.text ?? truncate(words, LIMITS.list_body_chars);
  // A mail that was awaited is no mail that made the task: the one may be deleted without the other.
  const message_id = task.message_id ?? task.awaited_message_id;
  return { ...task, message_id, text, result: resultOf(task) };
}
