import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { newLetterWord, newReplyId } from "../../catalogue/letter-words.ts";
import { decodeBase64 } from "../mime/transfer-encoding.ts";
import { readMail } from "../read-mail.ts";
import { unencodedText, walkBytes } from "./walk-file.ts";

const read = (raw: string) =>
  readMail(Buffer.from(raw, "latin1"), { screeningTimeoutMs: null }, () => performance.now());

/** Lines of Base64 that spell a word between others, as some megabytes of them do. */
const linesWith = (word: string): string => {
  const line = () => randomBytes(57).toString("base64");
  return [line(), line(), `${line().slice(0, 10)}${word}${line()}`.slice(0, 76), line(), line()].join("\r\n");
};
const attached = (lines: string, { before = "", type = "application/octet-stream" } = {}) =>
  [
    ...["From: bob@friend.example", "To: ada@agents.example.org", "MIME-Version: 1.0"],
    ...["Content-Type: multipart/mixed; boundary=part", "", before, "--part", "", "Hi.", "--part"],
    ...[`Content-Type: ${type}`, "Content-Transfer-Encoding: base64", "", lines, "--part--", ""],
  ].join("\r\n");

test.each([
  ["a reply address", () => `r+${newReplyId()}`],
  ["a secret of a letter", newLetterWord],
])("%s that an attachment's Base64 spells by chance is none", async (_, make) => {
  const word = make();
  const { struck, attachments } = await read(attached(linesWith(word)));
  expect(struck).toBeNull();
  expect(attachments[0]?.bytes.length).toBeGreaterThan(200);
  const shown = await read(attached(linesWith("A"), { before: `See ${word}@agents.example.org` }));
  expect(shown.struck).not.toBeNull();
});

test("a mail attached to a mail stays as it is when its own attachment's Base64 spells a word", async () => {
  const nested = attached(linesWith(`r+${newReplyId()}`));
  const raw = [
    ...["From: eve@friend.example", "To: ada@agents.example.org", "MIME-Version: 1.0"],
    ...["Content-Type: multipart/mixed; boundary=outer", "", "--outer", "", "See below.", "--outer"],
    ...["Content-Type: message/rfc822", "", nested, "--outer--", ""],
  ].join("\r\n");
  const { struck, attachments } = await read(raw);
  expect(struck).toBeNull();
  expect(Buffer.from(attachments[0]?.bytes ?? []).toString("latin1")).toBe(nested);
});

test("a secret in a decoded attachment is struck, wherever two windows of it meet", async () => {
  const word = newLetterWord();
  for (const at of [0, 458_752, 524_288 - 20, 524_288, 700_000]) {
    const file = Buffer.concat([Buffer.alloc(at, 0x01), Buffer.from(word), Buffer.alloc(100_000, 0x01)]);
    const visit = (text: string) => text.replaceAll(word, "gone");
    const walked = Buffer.from(walkBytes(file, visit, { finds_words: true }));
    expect(walked.includes(word)).toBe(false);
    expect(walked.length).toBe(file.length - word.length + 4);
  }
});

test("bytes in which nothing is found are returned as they are", () => {
  const file = randomBytes(2_000_000);
  expect(walkBytes(file, (text) => text, { finds_words: true })).toBe(file);
});

test("what a raw mail shows as it is leaves out long blocks of Base64, and nothing else", () => {
  const block = randomBytes(3_000).toString("base64").replace(/.{76}/g, "$&\r\n");
  const link = `https://host.example/${"a".repeat(80)}`;
  const raw = `Subject: x\r\n\r\nbefore\r\n\r\n${block}\r\n--part--\r\n${link}\r\nafter`;
  const text = unencodedText(Buffer.from(raw));
  for (const shown of ["Subject: x", "before", link, "after"]) expect(text).toContain(shown);
  expect(text).not.toContain(block.slice(100, 140));
});

test.each([
  ["lines of 76", 76],
  ["lines of 75, which end within a group", 75],
  ["lines of 900", 900],
])("long Base64 in %s decodes to its bytes", (_, width) => {
  for (const length of [100_000, 100_001, 100_002]) {
    const bytes = randomBytes(length);
    const text = bytes.toString("base64").replace(new RegExp(`.{${width}}`, "g"), "$&\r\n");
    expect(Buffer.compare(decodeBase64(Buffer.from(text)), bytes)).toBe(0);
    expect(Buffer.compare(decodeBase64(Buffer.from(text.replaceAll("\r\n", " *\r\n"))), bytes)).toBe(0);
  }
  const two = Buffer.from(`${randomBytes(70_000).toString("base64")}\r\nQUI=\r\nQUI=\r\n`);
  expect(Buffer.from(decodeBase64(two)).toString("latin1").endsWith("ABAB")).toBe(true);
});
