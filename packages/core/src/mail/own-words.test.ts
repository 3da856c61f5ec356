import { expect, test } from "vitest";
import { newCanaryWord, newLetterWord } from "../catalogue/letter-words.ts";
import { newApiKey, newWebhookSecret } from "../kernel/secrets.ts";
import { ownWordsIn } from "./own-words.ts";

const key = newApiKey();
const base64 = (text: string) => Buffer.from(text).toString("base64");
const percent = (text: string) => [...text].map((c) => `%${c.charCodeAt(0).toString(16)}`).join("");
const quoted = (text: string) => [...text].map((c) => `=${c.charCodeAt(0).toString(16)}`).join("");
const entities = (text: string) => [...text].map((c) => `&#${c.charCodeAt(0)};`).join("");

test.each<[string, (text: string) => string]>([
  ["plain", (text) => text],
  ["percent-encoded", percent],
  ["quoted-printable", quoted],
  ["in entities", entities],
  ["in base64", base64],
  ["in base64 of base64", (text) => base64(base64(text))],
  ["in base64 within words", (text) => `the code:${base64(`my key is ${text}, keep it`)}`],
  ["percent-encoded base64", (text) => percent(base64(text))],
  ["split by blanks", (text) => text.replace(/.{5}/g, "$& ")],
  ["split by line breaks", (text) => text.replace(/.{10}/g, "$&\n")],
  ["split by soft breaks", (text) => text.replace(/.{10}/g, "$&=\r\n")],
  ["split by tags", (text) => text.replace(/.{10}/g, "$&<b></b>")],
  ["with invisible characters", (text) => text.replace(/.{3}/g, "$&\u200b")],
])("a key is found %s", (_how, written) => {
  expect([...ownWordsIn([`Here: ${written(key)} and more`]).secrets]).toEqual([key]);
});

test("webhook secrets and words of letters are found too, and nothing else", () => {
  const secret = newWebhookSecret();
  expect([...ownWordsIn([`x ${secret} y`]).secrets]).toEqual([secret]);
  expect(ownWordsIn([`see https://x.example/?token=${newLetterWord()}`]).of_letters).toBe(true);
  expect(ownWordsIn([base64(`see ${newLetterWord()} now`)]).of_letters).toBe(true);
  const nothing = { secrets: new Set(), tokens: new Set(), canaries: [], of_letters: false };
  expect(
    ownWordsIn(["", "ls_live_short", "An ordinary mail.".repeat(100), base64("x".repeat(1000))]),
  ).toEqual(nothing);
});

test.each<[string, string[]]>([
  ["token: aB3dEf6hIj0kLmNoPqRsTuVwXyZ1234567890abc.", ["aB3dEf6hIj0kLmNoPqRsTuVwXyZ1234567890abc"]],
  [`ls_oat_${"a-B_3".repeat(9).slice(0, 43)} now`, [`ls_oat_${"a-B_3".repeat(9).slice(0, 43)}`]],
  ["the commit 9fceb02d0ae598e95dc970b74767f19372d61af8", []],
  [`${"x".repeat(41)} ${"x".repeat(39)}`, []],
])("%j may have the tokens %j", (text, tokens) => {
  expect([...ownWordsIn([text]).tokens]).toEqual(tokens);
});

test("a canary is found plain and in base64", () => {
  const canary = newCanaryWord();
  expect(ownWordsIn([`a ${canary}`, base64(canary)]).canaries).toEqual([canary]);
});

test("hostile text is read in bounded time", () => {
  for (const unit of ["ls_live_", "A", "%25", "=3D", "&amp;", "<", "QUFB", " a", "l s o "]) {
    const begun = performance.now();
    ownWordsIn([unit.repeat(1_000_000 / unit.length)]);
    expect(performance.now() - begun).toBeLessThan(5_000);
  }
});
