import type { Services } from "../../../kernel/context.ts";
import { loadOnce } from "../../../mail/load-once.ts";
import { iso } from "../../../model/fields.ts";
import type { OwnerRecord } from "../../../model/owners.ts";
import type { Answer } from "../../../model/questions.ts";
import type { UpdateRecord } from "../../../model/updates.ts";
import type { StorageReader } from "../../../ports/storage.ts";
import { questionState } from "./rules.ts";

const loadQuestionNumbers = loadOnce(() => import("../../../mail/answers/read-question-number.ts"));
const loadReadAnswer = loadOnce(() => import("../../../mail/answers/read-answer.ts"));

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

/** The content of an owner's reply to an update's letter: at most one of these. */
export interface ReadReply {
  answers?: MatchedAnswer | undefined;
  which?: WhichQuestion | undefined;
}

/**
 * Matches an owner's mail to an update by the letter that it answers; that letter must have been sent to this owner.
 * Among several questions in a digest it means the one whose number it begins with, or the only one still open. The
 * mail must count as the owner's word, and can answer only updates that the letter showed whole: for other updates it
 * is an order like any other.
 */
export async function matchAnswer(
  { storage }: Pick<Services, "storage">,
  owner: OwnerRecord,
  letter_id: string,
  new_words: string,
  now: Date,
): Promise<ReadReply> {
  const { updates, numbers, whole } = await updatesOf(storage, owner, letter_id);
  const answering = async (update: UpdateRecord, words: string): Promise<ReadReply> =>
    whole.has(update.id) ? { answers: await answerTo(update, words, new_words, now) } : {};
  const [only] = updates;
  if (updates.length === 1 && only !== undefined) return answering(only, new_words);
  const open = updates.filter(
    (update) => update.question !== null && questionState(update, iso(now)) === "open",
  );
  const { readQuestionNumber } = await loadQuestionNumbers();
  const named = readQuestionNumber(new_words, [...numbers.keys()]);
  const update = updates.find(({ id }) => id === numbers.get(named?.number ?? 0));
  const [last] = open;
  // With one question left, a lone number is its answer rather than the name of another.
  const names = named !== undefined && (named.words !== "" || open.length !== 1 || update === last);
  if (names && update !== undefined) return answering(update, named.words);
  if (open.length > 1) return { which: { letter_id } };
  return last === undefined ? {} : answering(last, new_words);
}

async function answerTo(
  update: UpdateRecord,
  words: string,
  all_words: string,
  now: Date,
): Promise<MatchedAnswer> {
  if (update.question === null) return { update, answer: null };
  const { readAnswer } = await loadReadAnswer();
  const value = readAnswer(update.question, words, now);
  return { update, answer: { value, raw_text: all_words.slice(0, MAX_RAW_TEXT_CHARS), method: "reply" } };
}

/** The updates in a letter to an owner, the numbers by which it names their questions, and which it shows whole. */
async function updatesOf(
  storage: StorageReader,
  { id: owner_id }: OwnerRecord,
  message_id: string,
): Promise<{ updates: UpdateRecord[]; numbers: Map<number, string>; whole: Set<string> }> {
  const letters = await storage.find("update_letters", { where: { message_id }, limit: MAX_LETTERS });
  const own = letters.filter((letter) => letter.owner_id === owner_id);
  const ids = own.map(({ update_id }) => update_id);
  const updates =
    ids.length === 0 ? [] : await storage.find("updates", { where: { id: { in: ids } }, limit: ids.length });
  const numbers = own.flatMap(({ number, update_id }) =>
    number === null ? [] : [[number, update_id] as const],
  );
  const whole = new Set(own.filter((letter) => letter.whole).map(({ update_id }) => update_id));
  return { updates, numbers: new Map(numbers), whole };
}
