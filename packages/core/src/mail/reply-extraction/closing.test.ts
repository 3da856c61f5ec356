import { describe, expect, test } from "vitest";
import { inEachLanguage } from "../words/index.ts";
import { extractNewText } from "./extract.ts";

const SENDER = { name: "Ada Bell", address: "ada@example.com" };
const textOf = (text: string) =>
  extractNewText({ text, html: null, subject: "Plan", is_reply: false, sender: SENDER }).extracted_text;
const WORDS = inEachLanguage("closings").flatMap(({ language, words: list }) =>
  list.map((word) => [language, word] as const),
);
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

describe("a closing is removed with the name below it", () => {
  test.each(WORDS)("%s: %s", (_, word) => {
    for (const closing of [word, `${capital(word)},`, `${capital(word)}!`])
      expect(textOf(`Please send the file.\n\n${closing}\n\nAda Bell`)).toBe("Please send the file.");
  });
  test.each(WORDS)("%s: %s stays when it is the whole message", (_, word) => {
    expect(textOf(capital(word))).toBe(capital(word));
  });
});
