import type { Services } from "../../kernel/context.ts";
import type { Work } from "../../kernel/work.ts";
import { headlineOf, shownValue } from "../../letters/index.ts";
import { iso } from "../../model/fields.ts";
import type { Answer } from "../../model/questions.ts";
import type { TaskRecord } from "../../model/tasks.ts";
import type { UpdateRecord } from "../../model/updates.ts";
import { addTask, newTask } from "../../tasks/index.ts";

/**
 * Gives the agent an answer that no mail brought, as a task, in the caller's transaction. `trusted` only
 * where an owner gave it.
 */
export function openAnswerTask(
  { makeId }: Pick<Services, "makeId">,
  work: Work,
  given: {
    update: UpdateRecord;
    thread_id: string;
    answer: Answer;
    /** Whose word it is; null for a question's own default, which nobody said. */
    owner: { id: string; email: string } | null;
    sender: string;
  },
  now: Date,
): TaskRecord {
  const { update, thread_id, answer, owner, sender } = given;
  const task: TaskRecord = {
    ...newTask,
    id: makeId("tsk"),
    account_id: update.account_id,
    inbox_id: update.inbox_id,
    message_id: null,
    thread_id,
    task_id: update.task_id,
    answers_update_id: update.id,
    answer,
    trusted: owner !== null,
    injected: false,
    owner_id: owner?.id ?? null,
    sender,
    subject: `Answer: ${headlineOf(update)}`,
    text: answer.raw_text ?? (answer.value === null ? "" : shownValue(answer.value)),
    text_truncated: false,
    auth: { spf: "none", dkim: "none", dmarc: "none" },
    created_at: iso(now),
    updated_at: iso(now),
  };
  addTask(work, task);
  return task;
}
