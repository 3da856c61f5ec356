import type { Services } from "../../../kernel/context.ts";
import { endJob } from "../../../kernel/jobs/job-lease.ts";
import { unitOfWork } from "../../../kernel/unit-of-work.ts";
import type { Work } from "../../../kernel/work.ts";
import { iso } from "../../../model/fields.ts";
import type { JobRecord } from "../../../model/jobs.ts";
import type { Answer } from "../../../model/questions.ts";
import type { TaskRecord } from "../../../model/tasks.ts";
import type { UpdateRecord } from "../../../model/updates.ts";
import { headlineOf, shownValue } from "../../notifications/headline.ts";
import { addTask, NEW_TASK } from "../../tasks/open.ts";

/** Stores the first clear answer to a question. Returns false when there was one already. */
export async function closeQuestion(
  work: Work,
  { id }: Pick<UpdateRecord, "id">,
  answer: Answer & { owner_id: string | null },
  now: Date,
): Promise<boolean> {
  const [closed] = await work.update(
    "updates",
    { id, answered_at: null },
    { answered_at: iso(now), answer, waiting_id: null },
  );
  if (closed === undefined) return false;
  await work.delete("jobs", { subject_id: id, kind: "question.expire" });
  return true;
}

/**
 * Opens a task with an answer that didn't come by mail, in the caller's transaction. The task is `trusted`
 * only if an owner answered.
 */
export function openAnswerTask(
  { makeId }: Pick<Services, "makeId">,
  work: Work,
  given: {
    update: UpdateRecord;
    thread_id: string;
    answer: Answer;
    /** The owner who answered; null for the question's default. */
    owner: { id: string; email: string } | null;
    sender: string;
  },
  now: Date,
): TaskRecord {
  const { update, thread_id, answer, owner, sender } = given;
  const task: TaskRecord = {
    ...NEW_TASK,
    untrusted_reason: null,
    id: makeId("tsk"),
    account_id: update.account_id,
    inbox_id: update.inbox_id,
    origin: "answer",
    message_id: null,
    awaited_message_id: null,
    thread_id,
    task_id: update.task_id,
    answers_update_id: update.id,
    answer,
    trusted: owner !== null,
    injected: false,
    imported: false,
    owner_id: owner?.id ?? null,
    sender,
    subject: `Answer: ${headlineOf(update)}`,
    text: answer.raw_text?.trim() ?? (answer.value === null ? "" : shownValue(answer.value)),
    text_truncated: false,
    auth: { spf: "none", dkim: "none", dmarc: "none" },
    created_at: iso(now),
    updated_at: iso(now),
  };
  addTask(work, task);
  return task;
}

/**
 * Expires a question that nobody answered in time: the agent gets a task with the question's default, or with
 * no value. The default is the agent's own, so the task is not trusted.
 */
export async function expireQuestion(services: Services, job: JobRecord): Promise<void> {
  const update = await services.storage.get("updates", job.subject_id);
  if (update === undefined) return endJob(services.storage, job);
  const now = services.clock.now();
  await unitOfWork(services, update.account_id, now, async (work) => {
    await endJob(work, job);
    const inbox = await work.get("inboxes", update.inbox_id);
    if (inbox === undefined || update.question === null) return;
    const answer: Answer = { value: update.question.default, raw_text: null, method: "default" };
    if (!(await closeQuestion(work, update, { ...answer, owner_id: null }, now))) return;
    const [letter] = await work.find("update_letters", { where: { update_id: update.id }, limit: 1 });
    const message = letter === undefined ? undefined : await work.get("messages", letter.message_id);
    const thread_id = message?.thread_id ?? services.makeId("thr");
    openAnswerTask(services, work, { update, thread_id, answer, owner: null, sender: inbox.email }, now);
  });
}
