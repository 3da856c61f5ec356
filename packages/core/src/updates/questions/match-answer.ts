import type { Services } from "../../kernel/context.ts";
import { readAnswer } from "../../mail/answers/read-answer.ts";
import { readQuestionNumber } from "../../mail/answers/read-question-number.ts";
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

/** A letter with several open questions, of which the owner's mail may answer any. */
export interface WhichQuestion {
  letter_id: string;
}

/** What an owner's mail about an update's letter says: at most one of these. */
export interface ReadReply {
  answers?: MatchedAnswer | undefined;
  which?: WhichQuestion | undefined;
}

/**
 * Matches an owner's mail to an update, by the letter that it answers; that letter must have been sent to
 * this owner. Of several questions in a digest, the one is meant with whose number the mail begins, or the only one
 * that is open. The mail must count as the owner's word.
 */
export async function matchAnswer(
  { storage }: Pick<Services, "storage">,
  owner: OwnerRecord,
  letter_id: string,
  new_words: string,
  now: Date,
): Promise<ReadReply> {
  const { updates, numbers } = await updatesOf(storage, owner, letter_id);
  const [only] = updates;
  if (updates.length === 1 && only !== undefined)
    return { answers: answerTo(only, new_words, new_words, now) };
  const open = updates.filter(
    (update) => update.question !== null && questionState(update, iso(now)) === "open",
  );
  const named = readQuestionNumber(new_words, [...numbers.keys()]);
  const update = updates.find(({ id }) => id === numbers.get(named?.number ?? 0));
  const [last] = open;
  // With one question left, a lone number is its answer rather than the name of another.
  const names = named !== undefined && (named.words !== "" || open.length !== 1 || update === last);
  if (names && update !== undefined) return { answers: answerTo(update, named.words, new_words, now) };
  if (open.length > 1) return { which: { letter_id } };
  return last === undefined ? {} : { answers: answerTo(last, new_words, new_words, now) };
}

function answerTo(update: UpdateRecord, words: string, all_words: string, now: Date): MatchedAnswer {
  if (update.question === null) return { update, answer: null };
  const value = readAnswer(update.question, words, now);
  return { update, answer: { value, raw_text: all_words.slice(0, MAX_RAW_TEXT_CHARS), method: "reply" } };
}

/** The updates in a letter to an owner, and the numbers by which it names their questions. */
async function updatesOf(
  storage: StorageReader,
  { id: owner_id }: OwnerRecord,
  message_id: string,
): Promise<{ updates: UpdateRecord[]; numbers: Map<number, string> }> {
  const letters = await storage.find("update_letters", { where: { message_id }, limit: MAX_LETTERS });
  const own = letters.filter((letter) => letter.owner_id === owner_id);
  const ids = own.map(({ update_id }) => update_id);
  const updates =
    ids.length === 0 ? [] : await storage.find("updates", { where: { id: { in: ids } }, limit: ids.length });
  const numbers = own.flatMap(({ number, update_id }) =>
    number === null ? [] : [[number, update_id] as const],
  );
  return { updates, numbers: new Map(numbers) };
}
