import { fail } from "../../../catalogue/errors.ts";
import type { Services } from "../../../kernel/context.ts";
import { notFound } from "../../../kernel/gate.ts";
import { findLetterSecret } from "../../../kernel/letters/letter-secrets.ts";
import type { LetterSubjects } from "../../../kernel/letters/letter-token.ts";
import { iso } from "../../../model/fields.ts";
import { addressToOwner } from "../../../model/owners.ts";
import type { QuestionReview } from "../../../model/questions.ts";
import { questionState } from "./rules.ts";

const MAX_LETTERS = 500;

/** A question and the owner who was asked. */
export type AskedOwner = Omit<LetterSubjects["question"], "secret">;

/** The question and the verified owner of a letter's token. Fails with `question_link_invalid`. */
export async function questionByToken(
  { storage }: Pick<Services, "storage">,
  token: string,
  now: Date,
): Promise<LetterSubjects["question"]> {
  const invalid = () => fail("question_link_invalid", { param: "token" });
  const secret = await findLetterSecret({ storage }, token, ["answer"], now);
  if (secret === undefined) throw invalid();
  const [letter] = await storage.find("update_letters", { where: { token_hash: secret.hash }, limit: 1 });
  if (letter === undefined) throw invalid();
  const [update, owner, inbox] = await Promise.all([
    storage.get("updates", letter.update_id),
    storage.get("owners", letter.owner_id),
    storage.get("inboxes", letter.inbox_id),
  ]);
  if (update === undefined || update.question === null || inbox === undefined || owner?.status !== "verified")
    throw invalid();
  return { secret, letter, update: { ...update, question: update.question }, owner, inbox };
}

/**
 * The question of an update that was put to the verified owner with this address. Fails with
 * `update_not_found`.
 */
export async function questionOfPerson(
  { storage }: Pick<Services, "storage">,
  email: string,
  update_id: string,
): Promise<AskedOwner> {
  const update = await storage.get("updates", update_id);
  const [owner] =
    update === undefined
      ? []
      : await storage.find("owners", { where: { inbox_id: update.inbox_id, email }, limit: 1 });
  const letters = await storage.find("update_letters", {
    where: { update_id },
    order: { by: "message_id", direction: "asc" },
    limit: MAX_LETTERS,
  });
  const letter = letters.find(({ owner_id }) => owner_id === owner?.id);
  const inbox = owner === undefined ? undefined : await storage.get("inboxes", owner.inbox_id);
  if (update == null || update.question === null || owner?.status !== "verified" || !letter || !inbox)
    throw notFound("update_not_found", "upd", update_id);
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
    owner_email: addressToOwner(owner),
    ...{ title, text, question, answer },
    state: questionState(update, iso(now)),
  };
}
