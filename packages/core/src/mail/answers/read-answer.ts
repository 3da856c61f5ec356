import type { AnswerValue, Question } from "../../model/questions.ts";
import { fitsQuestion } from "./fits.ts";
import { readChoice } from "./read-choice.ts";
import { readDate } from "./read-date.ts";
import { readNumber } from "./read-number.ts";
import { readYesNo } from "./read-yes-no.ts";

type Asked = Pick<Question, "type" | "options">;

/**
 * Reads the answer to a question, given as a value of its type or in a person's words, in any language of `mail/words`:
 * the one reader for mail, pages and calls. Null when it is unclear: asking once more is better than misreading.
 */
export function readAnswer(question: Asked, said: AnswerValue, now: Date): AnswerValue | null {
  if (question.type !== "text" && fitsQuestion(question, said)) return said;
  const value = READERS[question.type](question, String(said), now);
  return value !== null && fitsQuestion(question, value) ? value : null;
}

const READERS: Record<Question["type"], (question: Asked, text: string, now: Date) => AnswerValue | null> = {
  yes_no: (_question, text) => readYesNo(text),
  number: (_question, text) => readNumber(text),
  date: (_question, text, now) => readDate(text, now),
  choice: ({ options }, text) => readChoice(text, options ?? []),
  text: (_question, text) => text.trim() || null,
};
