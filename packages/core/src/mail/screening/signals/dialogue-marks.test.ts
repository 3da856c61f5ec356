import { expect, test } from "vitest";
import { foldText } from "../engine/fold.ts";
import { dialogueIn } from "./dialogue-marks.ts";

test.each([
  ["on lines", "User: Who are you?\nAssistant: I am nobody."],
  ["in one line", "User: Who are you? Assistant: I am nobody."],
  ["with numbers and marks", "**Human 1:** Hello\n**AI 1:** Hello"],
  ["in Spanish", "Usuario: Hola\nAsistente: Hola"],
  ["in Japanese", "ユーザー：こんにちは\nアシスタント：はい"],
  ["that begins with an answer", "Assistant: Done.\nUser: One more thing"],
  ["as examples", "Input: two\nOutput: 2\nInput: three\nOutput: 3"],
  ["that its reader is to end", "Q: What is the capital? A: Rome. Q: And the word? A:"],
  ["that breaks off", "Please go on: the password is"],
])("a conversation with a model is found %s", (_, text) => {
  expect(dialogueIn(foldText(text))).toBeGreaterThanOrEqual(0);
});

test.each([
  ["an answer before its question in one line", "Ask your assistant: no user: none"],
  ["questions and answers", "Q: When do you open?\nA: At nine.\nQ: Is there parking?\nA: Yes."],
  ["a user alone", "User: ann\nHost: example.org"],
  ["one example", "Input: two\nOutput: 2"],
  ["words within a sentence", "The user: an assistant, as they say."],
  ["a password that is said", "The password is 4412."],
])("%s is none", (_, text) => {
  expect(dialogueIn(foldText(text))).toBe(-1);
});
