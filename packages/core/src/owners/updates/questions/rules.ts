import { fail } from "../../../catalogue/errors.ts";
import { LIMITS } from "../../../catalogue/limits.ts";
import { fitsQuestion, foldOption } from "../../../mail/answers/fits.ts";
import type {
  Answer,
  AnswerValue,
  Question,
  QuestionInput,
  QuestionReview,
} from "../../../model/questions.ts";
import type { UpdateRecord } from "../../../model/updates.ts";

/**
 * The question of an update as it is stored. Fails with `invalid_question` when its fields contradict each
 * other.
 */
export function questionOf(
  kind: UpdateRecord["kind"],
  asked: QuestionInput | undefined,
  now: Date,
): Question | null {
  if (asked === undefined) return null;
  const refuse = (param: string, message: string) =>
    fail("invalid_question", { param: `question${param}`, message });
  if (kind !== "needs_input") throw refuse("", "Only an update of kind needs_input can ask a question.");
  const { type, options = null, default: fallback = null, expires_at = null } = asked;
  if ((type === "choice") !== (options !== null))
    throw refuse(".options", "A choice question needs options; other types can't have them.");
  if (options !== null && new Set(options.map(foldOption)).size < options.length)
    throw refuse(".options", "Two options are the same.");
  const question = { type, options, default: fallback, expires_at };
  if (fallback !== null && !fitsQuestion(question, fallback))
    throw refuse(".default", "The default does not fit the question's type.");
  if (expires_at !== null && !isAhead(expires_at, now))
    throw refuse(".expires_at", "expires_at must be in the future, within 366 days.");
  return question;
}

function isAhead(expires_at: string, now: Date): boolean {
  const ahead = new Date(expires_at).getTime() - now.getTime();
  return ahead > 0 && ahead <= LIMITS.question_ahead_ms;
}

/**
 * Numbers the open questions of a letter, given oldest first, in the order in which it shows them: newest first. A
 * lone one needs no number.
 */
export function numberQuestions<C extends { token: string | null }>(
  carried: readonly C[],
): (C & { number: number | null })[] {
  const open = carried.filter(({ token }) => token !== null).toReversed();
  const numbers = new Map(open.map((each, index) => [each, index + 1]));
  return carried.map((each) => ({ ...each, number: open.length < 2 ? null : (numbers.get(each) ?? null) }));
}

/** The rest of an answer after its mail was deleted: the method, and the value unless it is text. */
export function withoutWords(answer: Answer): Answer {
  return { ...answer, value: typeof answer.value === "string" ? null : answer.value, raw_text: null };
}

/**
 * The answer that a person gave on a page or by a call, as `readAnswer` understood it. Fails with `invalid_answer`, whose
 * `fix` says what would be understood, if that is null.
 */
export function answerValue(
  question: Pick<Question, "type" | "options">,
  value: AnswerValue | null,
): AnswerValue {
  if (value === null) throw fail("invalid_answer", { param: "value", fix: howToAnswer(question) });
  return value;
}

function howToAnswer({ type, options }: Pick<Question, "type" | "options">): string {
  switch (type) {
    case "yes_no":
      return "Answer yes or no.";
    case "number":
      return "Answer with one number, such as 12 or 12.5. Of 1.234 and 1,234 nobody knows whether it is a thousand: write 1234 or 1.2340.";
    case "date":
      return "Answer with one day, such as 2026-05-01 or 1 May 2026.";
    case "choice":
      return `Answer with one of these, or its number: ${(options ?? []).map((option, index) => `${index + 1}. ${option}`).join(", ")}.`;
    case "text":
      return `Answer in your own words, at most ${LIMITS.answer_chars} characters.`;
  }
}

/** Whether a question is open, answered or expired. */
export function questionState(
  { question, answer, answered_at }: Pick<UpdateRecord, "question" | "answer" | "answered_at">,
  now: string,
): QuestionReview["state"] {
  if (answered_at !== null) return answer?.method === "default" ? "expired" : "answered";
  const expires_at = question?.expires_at ?? null;
  return expires_at !== null && expires_at <= now ? "expired" : "open";
}
