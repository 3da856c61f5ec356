import type { Parts } from "../context.ts";
import { fail } from "../errors.ts";
import type { InboxRecord } from "../inboxes/schema.ts";
import type { OwnerRecord } from "../owners/schema.ts";
import { iso } from "../schema.ts";
import { hashSecret } from "../secrets.ts";
import type { UpdateLetterRecord, UpdateRecord } from "../updates/schema.ts";
import { questionState } from "./rules.ts";
import type { Question, QuestionReview } from "./schema.ts";

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
export async function byAnswerToken({ storage }: Pick<Parts, "storage">, token: string): Promise<AskedOwner> {
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
