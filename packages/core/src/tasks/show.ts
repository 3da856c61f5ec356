import { limits } from "../catalogue/limits.ts";
import { cut } from "../messages/index.ts";
import { shownBy } from "../model/fields.ts";
import type { MessageRecord } from "../model/messages.ts";
import { Task, type TaskRecord } from "../model/tasks.ts";
import type { StorageReader } from "../ports/storage.ts";

/** A task with its words. */
type WordedTask = Omit<TaskRecord, "text"> & { text: string };

/** A task as it is shown, in answers and events alike, with the words of the mail that gave it. */
export const showTask = (task: TaskRecord, message: MessageRecord | undefined): Task =>
  taskOf({ ...withWords(task, message), object: "task", content_trust: "untrusted_data" });

const taskOf = shownBy(Task);

/** Tasks with their words, which are read from the mails that gave them. */
export async function wordTasks(storage: StorageReader, tasks: readonly TaskRecord[]): Promise<WordedTask[]> {
  const ids = tasks.flatMap(({ text, message_id }) =>
    text === null && message_id !== null ? [message_id] : [],
  );
  const messages =
    ids.length === 0 ? [] : await storage.find("messages", { where: { id: { in: ids } }, limit: ids.length });
  const byId = new Map(messages.map((message) => [message.id, message]));
  return tasks.map((task) => withWords(task, byId.get(task.message_id ?? "")));
}

/** One task with its words. */
export async function wordTask(storage: StorageReader, task: TaskRecord): Promise<WordedTask> {
  const [worded] = await wordTasks(storage, [task]);
  return worded as WordedTask;
}

/** A task goes with its mail, so only one that is just being deleted has no words. */
function withWords(task: TaskRecord, message: MessageRecord | undefined): WordedTask {
  return { ...task, text: task.text ?? cut(message?.extracted_text ?? "", limits.list_body_chars) };
}
