import type { MakeId } from "../../catalogue/ids.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { type PendingEvent, type Work, wakeTasks } from "../../kernel/work.ts";
import { iso } from "../../model/fields.ts";
import { NO_AUTH } from "../../model/message-facts.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { Answer } from "../../model/questions.ts";
import type { TaskRecord, UntrustedReason } from "../../model/tasks.ts";
import { showTask } from "./show.ts";
import { snapshotOfTask } from "./snapshot.ts";

/** The initial state of a task: pending and unclaimed. */
export const NEW_TASK = {
  status: "pending",
  claim: null,
  claim_token: null,
  attempts: 0,
  last_error: null,
  result: null,
  done_at: null,
} as const;

/**
 * The task of a message. Its text is what the sender wrote, which is untrusted data whoever the sender is.
 */
export function openTask(
  makeId: MakeId,
  message: MessageRecord,
  facts: {
    trusted: boolean;
    untrusted_reason?: UntrustedReason | null;
    owner_id: string | null;
    update_task_id: string | null;
    answers_update_id?: string | null;
    answer?: Answer | null;
  },
  now: Date,
): TaskRecord {
  const imported = message.auth?.imported === true;
  return {
    ...NEW_TASK,
    id: makeId("tsk"),
    account_id: message.account_id,
    inbox_id: message.inbox_id,
    origin: "mail",
    message_id: message.id,
    awaited_message_id: null,
    thread_id: message.thread_id,
    task_id: facts.update_task_id,
    answers_update_id: facts.answers_update_id ?? null,
    answer: facts.answer ?? null,
    trusted: facts.trusted && !imported,
    injected: message.labels.includes("injected"),
    imported,
    untrusted_reason: imported ? "imported" : (facts.untrusted_reason ?? null),
    owner_id: facts.owner_id,
    sender: message.from,
    subject: message.subject,
    text: null,
    text_truncated: message.extracted_text.length > LIMITS.list_body_chars,
    auth: message.auth ?? NO_AUTH,
    created_at: iso(now),
    updated_at: iso(now),
  };
}

/**
 * The task that says that expected mail didn't come. The service itself wrote it, so it is trusted, and no word of any mail
 * is in it.
 */
export function openExpiryTask(
  makeId: MakeId,
  { account_id, inbox_id }: Pick<TaskRecord, "account_id" | "inbox_id">,
  { text, message_id, thread_id }: { text: string; message_id: string | null; thread_id: string | null },
  now: Date,
): TaskRecord {
  return {
    ...NEW_TASK,
    ...{ id: makeId("tsk"), account_id, inbox_id, origin: "expectation" },
    ...{ message_id: null, awaited_message_id: message_id, thread_id },
    ...{ task_id: null, answers_update_id: null, answer: null },
    ...{ trusted: true, injected: false, imported: false, untrusted_reason: null },
    ...{ owner_id: null, sender: null, subject: "Expected mail has not arrived" },
    ...{ text, text_truncated: false, auth: NO_AUTH, created_at: iso(now), updated_at: iso(now) },
  };
}

/** Stores a new task, publishes `task.received` and wakes waiting workers. */
export function addTask(work: Work, task: TaskRecord): void {
  work.append("tasks", [task]);
  work.publish(taskEvent("task.received", task));
  wakeTasks(work, task);
}

/** The event of a task, with a snapshot if it has a message, and with the whole task otherwise. */
export function taskEvent(type: "task.received" | "task.updated", task: TaskRecord): PendingEvent {
  const { inbox_id, message_id } = task;
  if (message_id === null) return { type, inbox_id, data: { task: showTask(task, undefined) } };
  return { type, inbox_id, message_id, data: { task: snapshotOfTask(task) } };
}
