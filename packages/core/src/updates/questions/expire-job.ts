import type { Services } from "../../kernel/context.ts";
import { endJob } from "../../kernel/jobs/job-lease.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { JobRecord } from "../../model/jobs.ts";
import type { Answer } from "../../model/questions.ts";
import { openAnswerTask } from "./answer-task.ts";
import { closeQuestion } from "./close.ts";

/**
 * Ends a question that nobody answered in its time: the agent gets a task with the question's default, or
 * with no value. It is the agent's own word and no owner's, so the task is not trusted.
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
