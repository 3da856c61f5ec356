import { LIMITS } from "../../catalogue/limits.ts";
import type { AnswerValue, Question } from "../../model/questions.ts";
/** Whether a value is a valid answer to the question. */
export function fitsQuestion(
  { type, options }: Pick<Question, "type" | "options">,
  value: AnswerValue,
): boolean {
  switch (type) {
    case "yes_no":
      return typeof value === "boolean";
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "date":
      return typeof value === "string" && isDate(value);
    case "choice":
      return typeof value === "string" && (options ?? []).includes(value);
    case "text":
      return typeof value === "string" && value.trim() !== "" && value.length <= LIMITS.answer_chars;
  }
}

/** Text normalised for comparing options: case, accents, width and punctuation are ignored. */
export function foldOption(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

export function isDate(text: string): boolean {
  const [, year = "", month = "", day = ""] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  return year !== "" && isDay(Number(year), Number(month), Number(day));
}

/** Whether a calendar day exists. */
export function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1000 && year <= 9999;
}
