import { describe, expect, test } from "vitest";
import { createTestService } from "../../../testing/index.ts";
import { WORD_MAX_CHARS } from "../../mail/search-words.ts";

async function open() {
  const service = createTestService();
  const account = await service.signUp();
  const found = async (q: string) =>
    (await account.as.search.messages({ q })).data.map(({ message }) => message.subject);
  return { service, as: account.as, inbox_id: account.inbox.id, found };
}

describe("a word of a search", () => {
  const long = "x".repeat(WORD_MAX_CHARS + 1);
  test.each([
    ["too long", long],
    ["too long among others", `invoice ${long} march`],
    ["too long in quotes", `"an invoice ${long}"`],
    ["too long in an operator", `from:${long}@example.com`],
    ["too long once its letters are unfolded", "ß".repeat(WORD_MAX_CHARS / 2 + 1)],
  ])("that is %s is invalid_query wherever mail is searched", async (_, q) => {
    const { as, inbox_id } = await open();
    const refused = { code: "invalid_query", kind: "invalid", param: "q" };
    await expect(as.search.messages({ q })).rejects.toMatchObject(refused);
    await expect(as.messages.search({ inbox_id, q })).rejects.toMatchObject(refused);
    await expect(as.threads.search({ inbox_id, q })).rejects.toMatchObject(refused);
  });

  test("of 64 characters is found, and so is a longer run of a script without spaces", async () => {
    const { as, inbox_id, found } = await open();
    const word = "y".repeat(WORD_MAX_CHARS);
    const run = "会議室予約".repeat(20);
    await as.messages.inject({ inbox_id, from: "ada@example.com", subject: "Long", text: `${word} ${run}` });
    expect(await found(word)).toEqual(["Long"]);
    expect(await found(run)).toEqual(["Long"]);
  });
});

describe("before: and after:", () => {
  test("find mail by its time", async () => {
    const { as, inbox_id, found, service } = await open();
    for (const day of [1, 2, 3]) {
      await as.messages.inject({ inbox_id, from: "ada@example.com", subject: `Day ${day}`, text: "x" });
      await service.clock.advance(24 * 3600_000);
    }
    expect(await found("before:2026-01-03 day")).toEqual(["Day 2", "Day 1"]);
    expect(await found("after:2026-01-02 day")).toEqual(["Day 3", "Day 2"]);
    expect(await found("after:2026-01-02 before:2026-01-03 day")).toEqual(["Day 2"]);
  });
});

describe("has:attachment", () => {
  test("finds held mail by its attachments, and shows no word of its text", async () => {
    const { as, inbox_id, found, service } = await open();
    const attachments = [
      { filename: "invoice.pdf", content_base64: "JVBERi0=", content_type: "application/pdf" },
    ];
    const mail = { inbox_id, from: "ada@example.com", text: "secret plans" };
    await as.messages.inject({ ...mail, subject: "Plain" });
    const { id } = await as.messages.inject({ ...mail, subject: "Held", attachments });
    const { storage } = service.letterslot.services;
    await storage.update("messages", { id }, { labels: ["received", "unread", "held", "suspicious"] });
    expect(await found("has:attachment")).toEqual(["Held"]);
    expect(await found("has:attachment subject:held")).toEqual(["Held"]);
    const [hit] = (await as.search.messages({ q: "invoice" })).data;
    expect(hit).toMatchObject({
      message: { subject: "Held", extracted_text: null, preview: null },
      highlights: { attachments: "<mark>invoice</mark>.pdf" },
    });
    expect(JSON.stringify(hit)).not.toContain("secret");
  });
});
