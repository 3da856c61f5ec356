import { newLetterWord } from "../../../catalogue/letter-words.ts";
import { LIMITS } from "../../../catalogue/limits.ts";
import type { Services } from "../../../kernel/context.ts";
import type { Work } from "../../../kernel/work.ts";
import { sendLetter } from "../../../mailbox/messages/index.ts";
import { iso } from "../../../model/fields.ts";
import { addressToOwner } from "../../../model/owners.ts";
import { whichQuestionLetters } from "../../notifications/digest.ts";
import { newOwnerPages } from "../../notifications/owner-pages.ts";
import { type OwnerReply, threadOf, wasAskedAgain } from "../../notifications/reply.ts";
import { wholeInDigest } from "../../notifications/whole.ts";
import { addUpdateLetters, answerPage, answerSecrets } from "./answer-token.ts";
import type { WhichQuestion } from "./match-answer.ts";
import { numberQuestions, questionState } from "./rules.ts";

/**
 * Asks an owner which of a letter's open questions their reply meant, in the transaction that stores the reply; once,
 * however often they reply without a number.
 */
export async function askWhich(
  services: Services,
  work: Work,
  { letter_id }: WhichQuestion,
  { inbox, message, owner, now }: OwnerReply,
): Promise<void> {
  const rows = await work.find("update_letters", {
    where: { message_id: letter_id },
    limit: LIMITS.digest_updates,
  });
  const numbers = new Map(rows.map(({ update_id, number }) => [update_id, number]));
  const updates = await work.find("updates", {
    where: { id: { in: [...numbers.keys()] } },
    limit: rows.length,
  });
  const open = updates
    .filter((update) => update.question !== null && questionState(update, iso(now)) === "open")
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((update) => ({ update, token: newLetterWord(), number: numbers.get(update.id) ?? null }));
  if (open.length === 0) return;
  const letters = await work.find("update_letters", {
    where: { update_id: { in: open.map(({ update }) => update.id) }, owner_id: owner.id },
    limit: open.length * LIMITS.owners_per_inbox,
  });
  const asked = Map.groupBy(letters, ({ update_id }) => update_id);
  if (open.every(({ update }) => wasAskedAgain(asked.get(update.id) ?? [], owner))) return;

  // Letters of earlier versions have no numbers.
  const carried = open.some(({ number }) => number === null) ? numberQuestions(open) : open;
  const pages = newOwnerPages(services);
  const letter = await sendLetter(services, work, {
    kind: "which_question",
    inbox,
    to: addressToOwner(owner),
    ...whichQuestionLetters({
      updates: carried.map(({ update, token, number }) => ({
        ...update,
        number,
        answer_url: answerPage(services, token),
      })),
      inbox_email: inbox.email,
      display_name: inbox.display_name,
      style_url: pages.style_url,
    }),
    owner_id: owner.id,
    secrets: [...pages.secrets, ...answerSecrets(carried)],
    thread: threadOf(message),
    now,
  });
  const whole = wholeInDigest(carried.map(({ update }) => update));
  const shown = carried.map((each) => ({ ...each, whole: whole.has(each.update) }));
  addUpdateLetters(work, letter, owner, shown, true);
}
