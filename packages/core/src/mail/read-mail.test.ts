import { expect, test } from "vitest";
import { newLetterWord, newReplyId, replyLocalPart } from "../catalogue/letter-words.ts";
import { readMail } from "./read-mail.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const encodedWord = (text: string) => `=?utf-8?B?${base64(text)}?=`;
const HEAD = ["From: Ada <ada@example.com>", "To: agent@agents.example.org"];
const body = (type: string, text: string) => [
  `Content-Type: ${type}; charset=utf-8`,
  "Content-Transfer-Encoding: base64",
  "",
  base64(text),
];

const struckOf = async (lines: string[]) =>
  (await readMail(Buffer.from(lines.join("\r\n")), { screeningTimeoutMs: null }, () => 0)).struck;

const word = newLetterWord();
const link = `https://mail.example.org/l?t=${word}`;

test.each([
  ["text", [...HEAD, ...body("text/plain", `See ${link}`)]],
  ["HTML", [...HEAD, ...body("text/html", `<p><a href="${link}">Yes</a></p>`)]],
  ["subject", [...HEAD, `Subject: ${encodedWord(word)}`, "", "hello"]],
  ["sender's name", [`From: ${encodedWord(word)} <ada@example.com>`, HEAD[1] ?? "", "", "hello"]],
  ["recipient's name", [HEAD[0] ?? "", `To: ${encodedWord(word)} <bo@example.com>`, "", "hello"]],
  [
    "text file",
    [...HEAD, 'Content-Disposition: attachment; filename="a.txt"', ...body("text/plain", `See ${link}`)],
  ],
])("a secret that only the decoded %s shows is found", async (_, lines) => {
  expect((await struckOf(lines))?.secrets).toEqual([word]);
});

test("a reply address that only the decoded text shows is found", async () => {
  const id = newReplyId();
  const lines = [...HEAD, ...body("text/plain", `Mail ${replyLocalPart(id)}@mail.example.org`)];
  expect((await struckOf(lines))?.secrets).toEqual([id]);
});

test("mail without any has no copy that is struck", async () => {
  expect(await struckOf([...HEAD, ...body("text/html", "<p>See https://example.com/a</p>")])).toBeNull();
});
