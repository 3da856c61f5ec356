import type { Services } from "../../kernel/context.ts";
import type { Work } from "../../kernel/work.ts";
import { askedAgainLetters, ownerPageUrls } from "../../letters/index.ts";
import { sendLetter } from "../../messages/index.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { OwnerRecord } from "../../model/owners.ts";

import { addUpdateLetters, answerPage, newAnswerToken } from "./answer-token.ts";
import { closeQuestion } from "./close.ts";
import type { MatchedAnswer } from "./match-answer.ts";
import { questionState } from "./rules.ts";

const lettersRead = 200;

/**
 * Does what an owner's mail says to an open question, in the transaction that stores the mail: a clear answer
 * closes it, an unclear one is asked about once more, and never again.
 */
export async function actOnAnswer(
  services: Services,
  work: Work,
  { update: { id }, answer }: MatchedAnswer,
  {
    inbox,
    message,
    owner,
    now,
  }: { inbox: InboxRecord; message: MessageRecord; owner: OwnerRecord; now: Date },
): Promise<void> {
  const update = await work.get("updates", id);
  if (update?.question == null || answer === null || questionState(update, iso(now)) !== "open") return;
  if (answer.value !== null) {
    await closeQuestion(work, update, { ...answer, owner_id: owner.id }, now);
    return;
  }
  const letters = await work.find("update_letters", { where: { update_id: id }, limit: lettersRead });
  if (letters.some(({ owner_id, again }) => again && owner_id === owner.id)) return;
  const { question, title, text } = update;
  const token = newAnswerToken();
  const asked = askedAgainLetters({
    question,
    title,
    text,
    inbox_email: inbox.email,
    display_name: inbox.display_name,
    answer_url: answerPage(services, token),
    style_url: ownerPageUrls(services, owner).style_url,
  });
  const thread = { thread_id: message.thread_id, answers: message.id };
  const letter = await sendLetter(services, work, { inbox, to: owner.email, ...asked, thread, now });
  addUpdateLetters(work, letter, owner, [{ update, token }], true);
}
