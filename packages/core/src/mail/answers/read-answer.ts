import type { AnswerValue, Question } from "../../model/questions.ts";
import { fitsQuestion } from "./fits.ts";
import { readChoice } from "./read-choice.ts";
import { readDate } from "./read-date.ts";
import { readNumber } from "./read-number.ts";
import { readYesNo } from "./read-yes-no.ts";

/**
 * Reads the answer to a question from the new text of an owner's mail, in any language of `answer-words.ts`.
 * Null when it is unclear: asking once more is better than misreading.
 */
export function readAnswer(question: Question, text: string, now: Date): AnswerValue | null {
  const value = READERS[question.type](question, text, now);
  return value !== null && fitsQuestion(question, value) ? value : null;
}

const READERS: Record<Question["type"], (question: Question, text: string, now: Date) => AnswerValue | null> =
  {
    yes_no: (_question, text) => readYesNo(text),
    number: (_question, text) => readNumber(text),
    date: (_question, text, now) => readDate(text, now),
    choice: ({ options }, text) => readChoice(text, options ?? []),
    text: (_question, text) => text.trim() || null,
  };
