import { describe, expect, test } from "vitest";
import { closings } from "./closing-words.ts";
import { extract } from "./extract.ts";

const sender = { name: "Ada Bell", address: "ada@example.com" };
const textOf = (text: string) =>
  extract({ text, html: null, subject: "Plan", is_reply: false, sender }).extracted_text;
const words = Object.entries(closings).flatMap(([language, list]) =>
  list.map((word) => [language, word] as const),
);
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

describe("a closing goes with the name below it", () => {
  test.each(words)("%s: %s", (_, word) => {
    for (const closing of [word, `${capital(word)},`, `${capital(word)}!`])
      expect(textOf(`Please send the file.\n\n${closing}\n\nAda Bell`)).toBe("Please send the file.");
  });
  test.each(words)("%s: %s stays where it is all that is said", (_, word) => {
    expect(textOf(capital(word))).toBe(capital(word));
  });
});
