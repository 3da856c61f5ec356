import { expect, test } from "vitest";
import { fitsQuestion, foldOption, isDay } from "../../../mail/answers/fits.ts";
import { readAnswer } from "../../../mail/answers/read-answer.ts";
import type { AnswerValue } from "../../../model/questions.ts";
import { shownValue } from "../../notifications/headline.ts";
import { answerValue, questionOf, questionState } from "./rules.ts";

const now = new Date("2026-01-01T00:00:00.000Z");
const ahead = "2026-01-02T00:00:00.000Z";

test("a question keeps the given fields, and the rest are null", () => {
  expect(questionOf("done", undefined, now)).toBeNull();
  expect(questionOf("needs_input", { type: "text" }, now)).toEqual({
    type: "text",
    options: null,
    default: null,
    expires_at: null,
  });
  const whole = { type: "choice" as const, options: ["A", "B"], default: "B", expires_at: ahead };
  expect(questionOf("needs_input", whole, now)).toEqual(whole);
});

test.each([
  ["done", { type: "yes_no" }, "question"],
  ["needs_input", { type: "choice" }, "question.options"],
  ["needs_input", { type: "text", options: ["A", "B"] }, "question.options"],
  ["needs_input", { type: "choice", options: ["a", "A."] }, "question.options"],
  ["needs_input", { type: "choice", options: ["A", "B"], default: "C" }, "question.default"],
  ["needs_input", { type: "text", expires_at: now.toISOString() }, "question.expires_at"],
  ["needs_input", { type: "text", expires_at: "2027-01-02T00:00:00.001Z" }, "question.expires_at"],
] as const)("%s with %j is refused for %s", (kind, asked, param) => {
  const refused = () =>
    questionOf(kind, "options" in asked ? { ...asked, options: [...asked.options] } : asked, now);
  expect(refused).toThrow(expect.objectContaining({ code: "invalid_question", param }));
});

test.each([
  ["yes_no", true, true],
  ["yes_no", "yes", false],
  ["number", 1.5, true],
  ["number", Number.NaN, false],
  ["number", "1", false],
  ["date", "2028-02-29", true],
  ["date", "2027-02-29", false],
  ["date", "soon", false],
  ["date", 20270101, false],
  ["choice", "A", true],
  ["choice", "C", false],
  ["choice", 1, false],
  ["text", "x", true],
  ["text", " ", false],
  ["text", "x".repeat(4001), false],
  ["text", true, false],
] as const)("%s takes %j: %j", (type, value, taken) => {
  expect(fitsQuestion({ type, options: type === "choice" ? ["A", "B"] : null }, value)).toBe(taken);
});

test("a choice without options accepts nothing", () => {
  expect(fitsQuestion({ type: "choice", options: null }, "A")).toBe(false);
});

/** An answer as a page gives it. */
const answered = (question: Parameters<typeof readAnswer>[0], said: AnswerValue) =>
  answerValue(question, readAnswer(question, said, now));

test.each([
  ["yes_no", "yes", true],
  ["yes_no", "Yes, please!", true],
  ["yes_no", false, false],
  ["number", " -1,5 ", -1.5],
  ["number", 12.5, 12.5],
  ["date", "1 May 2026", "2026-05-01"],
  ["choice", "2", "B"],
  ["text", " a ", "a"],
] as const)("to %s the answer %j is %j", (type, said, value) => {
  expect(answered({ type, options: type === "choice" ? ["A", "B"] : null }, said)).toBe(value);
});

test.each([
  ["yes_no", "perhaps", "Answer yes or no."],
  ["number", "0x10", "Answer with one number, such as 12 or 12.5."],
  ["number", "1.234", "whether it is a thousand"],
  ["date", "3/4", "Answer with one day, such as 2026-05-01 or 1 May 2026."],
  ["choice", "C", "Answer with one of these, or its number: 1. A, 2. B."],
  ["text", " ", "Answer in your own words, at most 4000 characters."],
] as const)("what isn't understood as %s, %j, is answered by what would be", (type, said, fix) => {
  expect(() => answered({ type, options: type === "choice" ? ["A", "B"] : null }, said)).toThrow(
    expect.objectContaining({ code: "invalid_answer", param: "value", fix: expect.stringContaining(fix) }),
  );
});

test("a choice without options is answered by none", () => {
  expect(() => answered({ type: "choice", options: null }, "A")).toThrow(
    expect.objectContaining({ code: "invalid_answer" }),
  );
});

test("a question is open until it is answered or expires", () => {
  const question = { type: "text" as const, options: null, default: null, expires_at: ahead };
  const open = { question, answer: null, answered_at: null };
  expect(questionState(open, now.toISOString())).toBe("open");
  expect(questionState({ ...open, question: { ...question, expires_at: null } }, ahead)).toBe("open");
  expect(questionState({ ...open, question: null }, ahead)).toBe("open");
  expect(questionState(open, ahead)).toBe("expired");
  const answer = { value: "x", raw_text: "x", owner_id: "own_1" };
  expect(questionState({ ...open, answered_at: ahead, answer: { ...answer, method: "page" } }, ahead)).toBe(
    "answered",
  );
  expect(
    questionState({ ...open, answered_at: ahead, answer: { ...answer, method: "default" } }, ahead),
  ).toBe("expired");
  expect(questionState({ ...open, answered_at: ahead }, ahead)).toBe("answered");
});

test("values are shown, options compared and days known", () => {
  expect([true, false, 4, "Red"].map(shownValue)).toEqual(["Yes", "No", "4", "Red"]);
  expect(foldOption(" Café, CRÈME! ")).toBe("cafe creme");
  expect([
    isDay(2026, 2, 28),
    isDay(2026, 2, 29),
    isDay(2026, 13, 1),
    isDay(999, 1, 1),
    isDay(12_345, 1, 1),
  ]).toEqual([true, false, false, false, false]);
});
