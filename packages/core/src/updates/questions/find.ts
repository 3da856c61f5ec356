import { fail } from "../../catalogue/errors.ts";
import type { Services } from "../../kernel/context.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { OwnerRecord } from "../../model/owners.ts";
import type { Question, QuestionReview } from "../../model/questions.ts";
import type { UpdateLetterRecord, UpdateRecord } from "../../model/updates.ts";
import { questionState } from "./rules.ts";

/** What the token of a letter leads to. */
export interface AskedOwner {
  letter: UpdateLetterRecord;
  update: UpdateRecord & { question: Question };
  owner: OwnerRecord;
  inbox: InboxRecord;
}

/**
 * The question and the owner that a letter's token stands for, while that owner is one. Fails with
 * `question_link_invalid`.
 */
export async function byAnswerToken(
  { storage }: Pick<Services, "storage">,
  token: string,
): Promise<AskedOwner> {
  const invalid = () => fail("question_link_invalid", { param: "token" });
  const [letter] = await storage.find("update_letters", {
    where: { token_hash: hashSecret(token) },
    limit: 1,
  });
  if (letter === undefined) throw invalid();
  const [update, owner, inbox] = await Promise.all([
    storage.get("updates", letter.update_id),
    storage.get("owners", letter.owner_id),
    storage.get("inboxes", letter.inbox_id),
  ]);
  if (update === undefined || update.question === null || inbox === undefined || owner?.status !== "verified")
    throw invalid();
  return { letter, update: { ...update, question: update.question }, owner, inbox };
}

/** What the answer page shows. */
export function reviewQuestion({ update, owner, inbox }: AskedOwner, now: Date): QuestionReview {
  const { title, text, question, answer } = update;
  return {
    object: "question_review",
    update_id: update.id,
    inbox_email: inbox.email,
    inbox_display_name: inbox.display_name,
    owner_email: owner.email,
    ...{ title, text, question, answer },
    state: questionState(update, iso(now)),
  };
}
