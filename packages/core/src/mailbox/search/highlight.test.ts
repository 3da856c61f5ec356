import { describe, expect, test } from "vitest";
import { measureThreadCpu } from "../../../../../test/support/processor-time.ts";
import type { MessageRecord } from "../../model/messages.ts";
import { highlight } from "./highlight.ts";
import { parseQuery } from "./parse-query.ts";

const message = (text: string): MessageRecord =>
  ({
    subject: "",
    from: "ada@example.com",
    from_name: null,
    labels: [],
    attachments: [],
    extracted_text: text,
  }) as never;
const marked = (text: string, q: string) => highlight(message(text), parseQuery(q).terms).text;

describe("the text of a search result", () => {
  test.each([
    [
      "the first searched word",
      "One fox and another fox.",
      "fox",
      "One <mark>fox</mark> and another <mark>fox</mark>.",
    ],
    ["whatever its case", "A FOX.", "fox", "A <mark>FOX</mark>."],
    ["with accents", "Eine Größe.", "grosse", "Eine <mark>Größe</mark>."],
    ["without the accents that were asked", "Eine Grosse.", '"Größe"', "Eine <mark>Grosse</mark>."],
    [
      "as spelled in the query rather than folded",
      "Zürich, Zurich",
      '"zurich"',
      "<mark>Zürich</mark>, <mark>Zurich</mark>",
    ],
    ["the beginning of a word, if it is the last", "A foxglove.", "fox", "A <mark>foxglove</mark>."],
    ["no beginning in quotes", "foxglove fox", '"fox"', "foxglove <mark>fox</mark>"],
    ["not the middle of a word", "outfox the fox", '"fox"', "outfox the <mark>fox</mark>"],
    [
      "each word of a phrase",
      "quick brown fox",
      '"quick brown"',
      "<mark>quick</mark> <mark>brown</mark> fox",
    ],
    [
      "in scripts without spaces",
      "明日の会議は十時からです。",
      "会議",
      "<mark>明日の会議は十時からです</mark>。",
    ],
    ["letters outside of the basic plane", "a 𝒳𝒴 b", "b", "a 𝒳𝒴 <mark>b</mark>"],
    ["letters that grow in lower case", "İİİ fox", "fox", "İİİ <mark>fox</mark>"],
    ["escaped", "<b>fox</b> & co", "fox", "&lt;b&gt;<mark>fox</mark>&lt;/b&gt; &amp; co"],
    ["nothing where nothing stands", "A hen.", "fox", undefined],
    ["nothing of another field", "A fox.", "subject:fox", undefined],
  ])("%s", (_, text, q, expected) => {
    expect(marked(text, q)).toBe(expected);
  });

  test("is an excerpt around the first match", () => {
    expect(marked(`${"word ".repeat(100)}fox ${"word ".repeat(100)}`, "fox")).toMatch(
      /^….{79,81}<mark>fox<\/mark>.{79,81}…$/,
    );
  });

  test("is missing when the word is only in the subject", () => {
    const found = { ...message("Größe ".repeat(10)), subject: "A fox" };
    expect(highlight(found, parseQuery("fox").terms)).toEqual({ subject: "A <mark>fox</mark>" });
  });

  test("is found in linear time, whatever the text", async () => {
    const cost = (characters: number) => {
      const text = `${"a".repeat(characters)} ${"b a".repeat(10)}`;
      return measureThreadCpu(() => {
        for (let each = 0; each < 50; each++) marked(text, '"a" "aa" "aaa"');
      });
    };
    await cost(1_000);
    expect(await cost(16_000)).toBeLessThan(100 * (await cost(1_000)) + 100);
  });
});
