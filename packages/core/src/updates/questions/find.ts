import { fail } from "../../catalogue/errors.ts";
import type { Services } from "../../kernel/context.ts";
import type { LetterSubjects } from "../../kernel/letter-token.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import { iso } from "../../model/fields.ts";
import type { QuestionReview } from "../../model/questions.ts";
import { questionState } from "./rules.ts";

/** A question and the owner who was asked. */
export type AskedOwner = LetterSubjects["question"];

/** The question and the verified owner of a letter's token. Fails with `question_link_invalid`. */
export async function questionByToken(
  { storage }: Pick<Services, "storage">,
  token: string,
): Promise<LetterSubjects["question"]> {
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

/** The content of the answer page. */
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
