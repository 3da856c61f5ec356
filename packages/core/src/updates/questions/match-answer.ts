import type { Services } from "../../kernel/context.ts";
import { readAnswer } from "../../mail/answers/read-answer.ts";
import { iso } from "../../model/fields.ts";
import type { OwnerRecord } from "../../model/owners.ts";
import type { Answer } from "../../model/questions.ts";
import type { UpdateRecord } from "../../model/updates.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { questionState } from "./rules.ts";

const MAX_LETTERS = 1_000;
const MAX_RAW_TEXT_CHARS = 4_000;

/** The update that an owner's mail answers, and the answer to its question, if it asked one. */
export interface MatchedAnswer {
  update: UpdateRecord;
  answer: Answer | null;
}

/**
 * Matches an owner's mail to an update, by the letter that it answers; that letter must have been sent to
 * this owner. For a digest, the only open question is meant. The mail must count as the owner's word.
 */
export async function matchAnswer(
  { storage }: Pick<Services, "storage">,
  owner: OwnerRecord,
  letter_id: string,
  new_words: string,
  now: Date,
): Promise<MatchedAnswer | undefined> {
  const update = await answeredUpdate(storage, owner, letter_id, now);
  if (update === undefined) return undefined;
  if (update.question === null) return { update, answer: null };
  const value = readAnswer(update.question, new_words, now);
  return { update, answer: { value, raw_text: new_words.slice(0, MAX_RAW_TEXT_CHARS), method: "reply" } };
}

async function answeredUpdate(
  storage: StorageReader,
  { id: owner_id }: OwnerRecord,
  message_id: string,
  now: Date,
): Promise<UpdateRecord | undefined> {
  const letters = await storage.find("update_letters", { where: { message_id }, limit: MAX_LETTERS });
  const ids = letters.filter((letter) => letter.owner_id === owner_id).map(({ update_id }) => update_id);
  if (ids.length === 0) return undefined;
  const updates = await storage.find("updates", { where: { id: { in: ids } }, limit: ids.length });
  if (updates.length === 1) return updates[0];
  const open = updates.filter(
    (update) => update.question !== null && questionState(update, iso(now)) === "open",
  );
  return open.length === 1 ? open[0] : undefined;
}
