import { newLetterWord } from "../../../catalogue/letter-words.ts";
import type { Services } from "../../../kernel/context.ts";
import type { Work } from "../../../kernel/work.ts";
import { sendLetter } from "../../../mailbox/messages/index.ts";
import { iso } from "../../../model/fields.ts";
import { addressToOwner } from "../../../model/owners.ts";
import { newOwnerPages } from "../../notifications/owner-pages.ts";
import { askedAgainLetters } from "../../notifications/question.ts";
import { type OwnerReply, threadOf, wasAskedAgain } from "../../notifications/reply.ts";
import { showsWhole } from "../../notifications/whole.ts";

import { addUpdateLetters, answerPage, answerSecrets } from "./answer-token.ts";
import { askWhich } from "./ask-which.ts";
import { closeQuestion } from "./close.ts";
import type { MatchedAnswer, ReadReply } from "./match-answer.ts";
import { questionState } from "./rules.ts";

const MAX_LETTERS = 200;

/**
 * Applies an owner's reply to open questions, in the transaction that stores the mail. A clear answer closes its
 * question; after an unclear answer, or one that could belong to several questions, the owner is asked again, once.
 */
export async function actOnAnswer(
  services: Services,
  work: Work,
  { answers, which }: ReadReply,
  reply: OwnerReply,
): Promise<void> {
  if (which !== undefined) await askWhich(services, work, which, reply);
  if (answers !== undefined) await applyAnswer(services, work, answers, reply);
}

async function applyAnswer(
  services: Services,
  work: Work,
  { update: { id }, answer }: MatchedAnswer,
  { inbox, message, owner, now }: OwnerReply,
): Promise<void> {
  const update = await work.get("updates", id);
  if (update?.question == null || answer === null || questionState(update, iso(now)) !== "open") return;
  if (answer.value !== null) {
    await closeQuestion(work, update, { ...answer, owner_id: owner.id }, now);
    return;
  }
  const letters = await work.find("update_letters", { where: { update_id: id }, limit: MAX_LETTERS });
  if (wasAskedAgain(letters, owner)) return;
  const { question, title, text } = update;
  const token = newLetterWord();
  const pages = newOwnerPages(services);
  const asked = askedAgainLetters({
    question,
    title,
    text,
    inbox_email: inbox.email,
    display_name: inbox.display_name,
    answer_url: answerPage(services, token),
    style_url: pages.style_url,
  });
  const thread = threadOf(message);
  const letter = await sendLetter(services, work, {
    kind: "question_again",
    inbox,
    to: addressToOwner(owner),
    ...asked,
    owner_id: owner.id,
    secrets: [...pages.secrets, ...answerSecrets([{ update, token }])],
    thread,
    now,
  });
  addUpdateLetters(work, letter, owner, [{ update, token, whole: showsWhole(update, "detailed") }], true);
}
