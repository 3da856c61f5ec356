import type { Services } from "../../../kernel/context.ts";
import type { Work } from "../../../kernel/work.ts";
import { isHeld } from "../../../mailbox/messages/index.ts";
import type { MessageRecord } from "../../../model/messages.ts";
import type { TaskRecord } from "../../../model/tasks.ts";
import { addTask, openTask } from "../../../owners/tasks/index.ts";
import { publishReceived } from "../publish-received.ts";
import { phoneDecisions } from "../reading/read-words.ts";

/** Publishes a stored text or voicemail, and makes its task if that was decided. */
export async function announcePhone(
  { makeId }: Pick<Services, "makeId">,
  work: Work,
  message: MessageRecord,
  decision: { made: boolean; reason: string },
  now: Date,
): Promise<void> {
  const task = decision.made ? openPhoneTask(makeId, message, now) : undefined;
  publishReceived(work, message, {
    held: isHeld(message),
    owner: undefined,
    update_task_id: null,
    task_id: task?.id ?? null,
  });
  if (task !== undefined) await addPhoneTask(work, task, message.id, decision);
}

/** The task of a text or voicemail; nobody is known to have given it. */
export const openPhoneTask = (makeId: Services["makeId"], message: MessageRecord, now: Date): TaskRecord =>
  openTask(makeId, message, { trusted: false, owner_id: null, update_task_id: null }, now);

/** Stores the task of a text or voicemail, and notes it with the message's decisions. */
export async function addPhoneTask(
  work: Work,
  task: TaskRecord,
  message_id: string,
  decision: { made: boolean; reason: string },
): Promise<void> {
  await work.update("message_bodies", { message_id }, { decisions: phoneDecisions(decision, task.id) });
  addTask(work, task);
}
