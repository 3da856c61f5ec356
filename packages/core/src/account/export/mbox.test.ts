import { expect, test } from "vitest";
import { linesOf, mboxEntry, readMbox } from "./mbox.ts";

const date = new Date("2026-11-05T07:08:09.000Z");
const entry = (raw: string, from = "ada@example.com") =>
  Buffer.from(mboxEntry({ from, date, raw: Buffer.from(raw) })).toString();

/** The bytes in pieces of this length. */
async function* inPieces(text: string, length: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

const read = async (text: string, length = 7, max = 1_000) => {
  const mails: string[][] = [];
  for await (const forms of readMbox(inPieces(text, length), max, () => new Error("too long")))
    mails.push(forms.map((form) => Buffer.from(form).toString()));
  return mails;
};

test.each([
  ["A: b\n\nHello\n", "A: b\n\nHello\n\n"],
  ["A: b\n\nHello", "A: b\n\nHello\n\n"],
  ["A: b\n\nFrom me\n>From you\n>>From us\n", "A: b\n\n>From me\n>>From you\n>>>From us\n\n"],
  ["From the start\n", ">From the start\n\n"],
  ["A: b\r\n\r\nIt is From me\r\n", "A: b\r\n\r\nIt is From me\r\n\n"],
  ["From: ada\n\n>Fromage\n", "From: ada\n\n>Fromage\n\n"],
])("%j is quoted so that it can be undone", (raw, quoted) => {
  expect(entry(raw)).toBe(`From ada@example.com Thu Nov  5 07:08:09 2026\n${quoted}`);
});

test.each([
  "",
  "\n",
  "x",
  "x\n",
  "x\n\n",
  "\n\nFrom x",
  ">From \n>>From \r\n",
  "From \nFrom \n",
  "a\r\n\r\n",
])("%j comes back in one of its two forms, whatever stands before and after it", async (raw) => {
  for (const length of [1, 2, 7, 1_000]) {
    const mails = await read(entry("before\n") + entry(raw) + entry("after"), length);
    expect(mails).toHaveLength(3);
    expect(mails[1]).toContain(raw);
    expect(mails[0]).toContain("before\n");
    expect(mails[2]).toContain("after");
  }
});

test.each([1_000, 65_536, 5_000_000])(
  "long mails among short ones come back in pieces of %d bytes",
  async (length) => {
    const lines = (count: number) => `From ${"line\n>From \n".repeat(count)}`;
    const raws = [1, 30_000, 2, 3, 60_000, 25_000, 4].map(lines);
    const mails = await read(raws.map((raw) => entry(raw)).join(""), length, 2_000_000);
    expect(mails.map(([whole]) => whole)).toEqual(raws);
  },
);

test("an empty sender, or one with line breaks, can't break the separator", () => {
  expect(entry("x\n", "")).toMatch(/^From MAILER-DAEMON Thu /);
  expect(entry("x\n", "a\nFrom b")).toMatch(/^From aFromb Thu /);
});

test("a mail or a line longer than allowed is refused", async () => {
  await expect(read(entry("x\n".repeat(100)), 7, 100)).rejects.toThrow("too long");
  await expect(read(entry("x".repeat(200)), 7, 100)).rejects.toThrow("too long");
  expect(await read(entry(`${"x".repeat(99)}\n`), 7, 100)).toHaveLength(1);
});

test("lines keep their ends, and the last may have none", async () => {
  const lines: string[] = [];
  for await (const line of linesOf(inPieces("a\n\nbc", 2), 10, () => new Error("too long")))
    lines.push(Buffer.from(line).toString());
  expect(lines).toEqual(["a\n", "\n", "bc"]);
});
