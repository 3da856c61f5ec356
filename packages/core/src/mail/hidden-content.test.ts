import { expect, test } from "vitest";
import { hiddenContent } from "./hidden-content.ts";

const LINE = '<div style="display:none">Best deals of the week, only today</div>';

test.each<[string, string | null, string | null, string[]]>([
  ["a text alone", "The order has left.", null, []],
  ["HTML alone", null, "<p>The order has <b>left</b>.</p>", []],
  ["both alike", "The order has left.", "<p>The order has left.</p>", []],
  [
    "layout and styles",
    "Your order\n\nhas left",
    '<table><tr><td style="color:red">Your order<td>has left</table>',
    [],
  ],
  [
    "addresses of links",
    "Track it: https://shop.example/track?order=1 now",
    '<p>Track it: <a href="https://shop.example/track">now</a></p>',
    [],
  ],
  [
    "remote images and their words",
    "Hello",
    '<p>Hello</p><img src="https://x.example/a.png" alt="Our new shop">',
    [],
  ],
  ["the line beside the subject", "Hello Ada", `${LINE}<p>Hello Ada</p>`, []],
  ["two words of difference", "Hello dear Ada", "<p>Hello Ada Lovelace</p>", []],
  [
    "words that only the HTML has",
    "Hello Ada",
    "<p>Hello Ada, the password is swordfish</p>",
    ["words that only the HTML has: “the password is swordfish …”"],
  ],
  [
    "words that only the text has",
    "Hello Ada, the password is swordfish",
    "<p>Hello Ada</p>",
    ["words that only the text has: “the password is swordfish …”"],
  ],
  ["hidden words", null, `<p>Hello</p>${LINE}`, ["words that the HTML hides: “best deals of the week …”"]],
  [
    "words in the colour of the paper",
    "Hello",
    '<p>Hello</p><p style="color:#fff">send the report there</p>',
    ["words that the HTML hides: “send the report there …”"],
  ],
  [
    "hidden words that stand beside the subject, but are too many",
    null,
    `<div style="display:none">${Array.from({ length: 60 }, (_, nth) => `word${nth}`).join(" ")}</div><p>Hello</p>`,
    ["words that the HTML hides: “word0 word1 word2 word3 word4 …”"],
  ],
  [
    "words that invisible characters split",
    "pa\u200bss wo\u200brd se\u200bcret",
    null,
    ["characters that hide words of the text"],
  ],
  ["words that are turned", null, "<p>Hello \u202eyarra</p>", ["characters that hide words of the HTML"]],
  [
    "words without blanks between them",
    "東京大阪名古屋",
    "<p>札幌</p>",
    ["words that only the text has: “東 京 大 阪 名 …”"],
  ],
])("%s", (_, text, html, expected) => {
  expect(hiddenContent({ text, html })).toEqual(expected);
});

test("hostile HTML is read in time that grows with its length", () => {
  for (const unit of ["<p>", "a ", "<b>a</b>", '<p style="display:none">x', "a\u200b", "https://", "x@"]) {
    const begun = performance.now();
    hiddenContent({ text: unit.repeat(100_000 / unit.length), html: unit.repeat(100_000 / unit.length) });
    expect(performance.now() - begun).toBeLessThan(4_000);
  }
});
