import { expect, test } from "vitest";
import { mailsOfMbox } from "./mbox.ts";

const FROM = "From olga@owner.example Tue Mar  3 10:00:00 2020";

async function mailsOf(text: string, { max_bytes = 1_000, chunk = 1_000 } = {}) {
  const bytes = Buffer.from(text);
  async function* chunks() {
    for (let start = 0; start < bytes.length; start += chunk) yield bytes.subarray(start, start + chunk);
  }
  const mails: (string | null)[] = [];
  for await (const { number, raw } of mailsOfMbox(chunks(), max_bytes)) {
    mails.push(raw === null ? null : raw.toString());
    expect(number).toBe(mails.length);
  }
  return mails;
}

const cases: [name: string, file: string, mails: (string | null)[]][] = [
  ["nothing", "", []],
  ["a file without a separator", "Subject: a\n\nb\n", []],
  ["one mail", `${FROM}\nSubject: a\n\nb\n\n`, ["Subject: a\n\nb\n"]],
  ["two mails", `${FROM}\nA: 1\n\na\n\n${FROM}\nA: 2\n\nb\n`, ["A: 1\n\na\n", "A: 2\n\nb\n"]],
  ["the last without a line break", `${FROM}\nA: 1\n\na`, ["A: 1\n\na"]],
  [
    "Windows' line ends",
    `${FROM}\r\nA: 1\r\n\r\na\r\n\r\n${FROM}\r\nA: 2\r\n`,
    ["A: 1\r\n\r\na\r\n", "A: 2\r\n"],
  ],
  [
    "quoted lines",
    `${FROM}\nA: 1\n\n>From here\n>>From there\n> From\n`,
    ["A: 1\n\nFrom here\n>From there\n> From\n"],
  ],
  [
    "a sentence that begins like a separator",
    `${FROM}\nA: 1\n\nx\n\nFrom now on I write.\n`,
    ["A: 1\n\nx\n\nFrom now on I write.\n"],
  ],
  ["a separator within a paragraph", `${FROM}\nA: 1\n\nx\n${FROM}\ny\n`, [`A: 1\n\nx\n${FROM}\ny\n`]],
  ["an empty mail", `${FROM}\n\n${FROM}\nA: 2\n`, ["", "A: 2\n"]],
];

test.each(cases)("%s", async (_, file, mails) => {
  for (const chunk of [1, 7, 1_000]) expect(await mailsOf(file, { chunk })).toEqual(mails);
});

test("a mail that is too long is said to be, and those around it are read", async () => {
  const long = `${FROM}\nA: 2\n\n${`${"x".repeat(70)}\n`.repeat(20)}\n`;
  const line = `${FROM}\nA: 3\n\n${"y".repeat(2_500)}\n\n`;
  const file = `${FROM}\nA: 1\n\n${long}${line}${FROM}\nA: 4\n`;
  for (const chunk of [1, 64, 10_000])
    expect(await mailsOf(file, { chunk })).toEqual(["A: 1\n", null, null, "A: 4\n"]);
});
