import { readMail, runContentTask } from "@letterslot/core/mail";
import { expect, test } from "vitest";
import { createContentWorker } from "./content-thread.ts";

const LINES = "Yes, on 123456. See https://garden.example/june\n".repeat(20_000);
const RAW = Buffer.from(
  `From: grace@example.org\r\nTo: ada@agents.example.com\r\nSubject: The garden\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n` +
    `--b\r\nContent-Type: text/plain\r\n\r\n${LINES}\r\n--b\r\nContent-Type: text/plain; name=a.txt\r\nContent-Disposition: attachment\r\n\r\n${LINES}\r\n--b--\r\n`,
);
const { struck: _, ...mail } = await readMail(RAW, { screeningTimeoutMs: null }, () => performance.now());

test.each<[string, unknown]>([
  [
    "cleanMail",
    {
      mail,
      cleaning: {
        letters: {},
        unreadable: [],
        domains: ["agents.example.com"],
        quoted: ["Shall I book the garden for June, or later?"],
        codes: { all: true, codes: [] },
        withheld: [],
      },
    },
  ],
  ["searchText", LINES],
  ["strikeText", LINES],
  ["removeCodes", { text: LINES, all: true, codes: [] }],
  ["writeMail", mail],
  ["findInMail", { ...mail, extracted_text: LINES, is_reply: false }],
])("%s of a long mail has the same result in the thread as here", async (name, input) => {
  const here = await runContentTask(name, input);
  const there = await createContentWorker().run(name, input);
  expect(there).toEqual(structuredClone(here));
});

test("a task that doesn't exist fails", async () => {
  await expect(createContentWorker().run("unknown", {})).rejects.toThrow(/no content task unknown/);
});
