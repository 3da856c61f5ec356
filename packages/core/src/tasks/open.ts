import type { MakeId } from "../catalogue/ids.ts";
import { limits } from "../catalogue/limits.ts";
import { iso } from "../model/fields.ts";
import type { MessageRecord } from "../model/messages.ts";
import type { Answer } from "../model/questions.ts";
import type { TaskRecord } from "../model/tasks.ts";

/** How every task begins: pending, in nobody's hands. */
export const newTask = {
  status: "pending",
  claim: null,
  claim_token: null,
  attempts: 0,
  last_error: null,
  result: null,
} as const;

/**
 * The task that a message becomes. Its text is the sender's words, which stay untrusted data whoever the
 * sender is.
 */
export function openTask(
  makeId: MakeId,
  message: MessageRecord,
  facts: {
    trusted: boolean;
    owner_id: string | null;
    update_task_id: string | null;
    answers_update_id?: string | null;
    answer?: Answer | null;
  },
  now: Date,
): TaskRecord {
  return {
    ...newTask,
    id: makeId("tsk"),
    account_id: message.account_id,
    inbox_id: message.inbox_id,
    message_id: message.id,
    thread_id: message.thread_id,
    task_id: facts.update_task_id,
    answers_update_id: facts.answers_update_id ?? null,
    answer: facts.answer ?? null,
    trusted: facts.trusted,
    injected: message.labels.includes("injected"),
    owner_id: facts.owner_id,
    sender: message.from,
    subject: message.subject,
    text: null,
    text_truncated: message.extracted_text.length > limits.list_body_chars,
    auth: message.auth ?? { spf: "none", dkim: "none", dmarc: "none" },
    created_at: iso(now),
    updated_at: iso(now),
  };
}
