import type { Services } from "../../kernel/context.ts";
import { readAnswer } from "../../mail/answers/read-answer.ts";
import { iso } from "../../model/fields.ts";
import type { OwnerRecord } from "../../model/owners.ts";
import type { Answer } from "../../model/questions.ts";
import type { UpdateRecord } from "../../model/updates.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { questionState } from "./rules.ts";

const lettersRead = 1_000;
const rawTextChars = 4_000;

/** An owner's mail that answers an update, and what it says to the update's question if it asked one. */
export interface MatchedAnswer {
  update: UpdateRecord;
  answer: Answer | null;
}

/**
 * Which update an owner's mail answers. It goes by the letter that the mail answers, and only if that letter
 * went to this owner; of a digest's many updates the only open question is meant. The mail's sender must have
 * been found to speak for the owner.
 */
export async function matchAnswer(
  { storage }: Pick<Services, "storage">,
  owner: OwnerRecord,
  mail: { in_reply_to: string | null; references: readonly string[] },
  new_words: string,
  now: Date,
): Promise<MatchedAnswer | undefined> {
  const reference = mail.in_reply_to ?? mail.references.at(-1);
  const update = reference === undefined ? undefined : await answeredUpdate(storage, owner, reference, now);
  if (update === undefined) return undefined;
  if (update.question === null) return { update, answer: null };
  const value = readAnswer(update.question, new_words, now);
  return { update, answer: { value, raw_text: new_words.slice(0, rawTextChars), method: "reply" } };
}

async function answeredUpdate(
  storage: StorageReader,
  { id: owner_id, inbox_id }: OwnerRecord,
  reference: string,
  now: Date,
): Promise<UpdateRecord | undefined> {
  const [answered] = await storage.find("message_references", {
    where: { inbox_id, reference, own: true },
    limit: 1,
  });
  if (answered === undefined) return undefined;
  const letters = await storage.find("update_letters", {
    where: { message_id: answered.message_id },
    limit: lettersRead,
  });
  const ids = letters.filter((letter) => letter.owner_id === owner_id).map(({ update_id }) => update_id);
  if (ids.length === 0) return undefined;
  const updates = await storage.find("updates", { where: { id: { in: ids } }, limit: ids.length });
  if (updates.length === 1) return updates[0];
  const open = updates.filter(
    (update) => update.question !== null && questionState(update, iso(now)) === "open",
  );
  return open.length === 1 ? open[0] : undefined;
}
