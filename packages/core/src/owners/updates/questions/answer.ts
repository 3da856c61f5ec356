import { fail } from "../../../catalogue/errors.ts";
import type { Services } from "../../../kernel/context.ts";
import { unitOfWork } from "../../../kernel/unit-of-work.ts";
import { loadOnce } from "../../../mail/load-once.ts";
import { iso } from "../../../model/fields.ts";
import { addressToOwner } from "../../../model/owners.ts";
import type { Answer, AnswerValue } from "../../../model/questions.ts";
import { closeQuestion, openAnswerTask } from "./close.ts";
import type { AskedOwner } from "./find.ts";
import { answerValue, questionState } from "./rules.ts";

const loadReadAnswer = loadOnce(() => import("../../../mail/answers/read-answer.ts"));

/**
 * Stores an owner's answer from their page or session and passes it to the agent as a task and an `owner.reply` event.
 * Repeating the same answer changes nothing. Fails with `invalid_answer`, and with `question_closed` for another answer
 * or a late one.
 */
export async function answerWithoutMail(
  services: Services,
  { letter, update: { id, account_id, question }, owner, inbox }: AskedOwner,
  { said, method }: { said: AnswerValue; method: "page" | "session" },
  now: Date,
): Promise<void> {
  const { readAnswer } = await loadReadAnswer();
  const value = answerValue(question, readAnswer(question, said, now));
  await unitOfWork(services, account_id, now, async (work) => {
    const update = await work.get("updates", id);
    const same = update?.answer?.owner_id === owner.id && update.answer.value === value;
    if (same) return;
    if ((await work.get("owners", owner.id))?.status !== "verified")
      throw fail("question_link_invalid", { param: "token" });
    if (update === undefined || questionState(update, iso(now)) !== "open") throw fail("question_closed");
    const answer: Answer = { value, raw_text: typeof said === "string" ? said : null, method };
    if (!(await closeQuestion(work, update, { ...answer, owner_id: owner.id }, now)))
      throw fail("question_closed");
    const asked = await work.get("messages", letter.message_id);
    const thread_id = asked?.thread_id ?? services.makeId("thr");
    const task = openAnswerTask(
      services,
      work,
      { update, thread_id, answer, owner, sender: addressToOwner(owner) },
      now,
    );
    const data = {
      message: null,
      owner_id: owner.id,
      task_id: task.id,
      answers_task_id: update.task_id,
      answers_update_id: update.id,
      answer,
    };
    work.publish({ type: "owner.reply", inbox_id: inbox.id, data });
  });
}
