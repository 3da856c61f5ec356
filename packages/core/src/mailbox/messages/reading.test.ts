import { describe, expect, test } from "vitest";
import { createTestService } from "../../../testing/index.ts";
import { newLetterWord } from "../../catalogue/letter-words.ts";
import { LIMITS } from "../../catalogue/limits.ts";

async function open() {
  const service = createTestService();
  const account = await service.signUp();
  const inbox_id = account.inbox.id;
  const inject = (text: string) => account.as.messages.inject({ inbox_id, from: "ada@example.com", text });
  return { service, account, as: account.as, inbox_id, inject };
}

describe("reading a message in slices", () => {
  test("returns each slice with the full length, and says when there is more", async () => {
    const { as, inbox_id, inject } = await open();
    const { id: message_id } = await inject("abcdefghij");
    expect(await as.messages.get({ inbox_id, message_id })).toMatchObject({
      extracted_text: "abcdefghij",
      extracted_text_chars: 10,
      extracted_text_truncated: false,
    });
    expect(await as.messages.get({ inbox_id, message_id, max_chars: 4 })).toMatchObject({
      extracted_text: "abcd",
      extracted_text_chars: 10,
      extracted_text_truncated: true,
    });
    expect(await as.messages.get({ inbox_id, message_id, max_chars: 4, offset: 8 })).toMatchObject({
      extracted_text: "ij",
      extracted_text_truncated: false,
    });
    expect(await as.messages.get({ inbox_id, message_id, offset: 10_000 })).toMatchObject({
      extracted_text: "",
      extracted_text_truncated: false,
    });
  });

  test("counts code points: an offset never falls into a character", async () => {
    const { as, inbox_id, inject } = await open();
    const { id: message_id } = await inject("a😀b😀é");
    const slice = (offset: number, max_chars?: number) =>
      as.messages.get({ inbox_id, message_id, offset, ...(max_chars === undefined ? {} : { max_chars }) });
    const pieces = await Promise.all([0, 1, 2, 3, 4, 5].map((offset) => slice(offset, 1)));
    expect(pieces.map(({ extracted_text }) => extracted_text)).toEqual(["a", "😀", "b", "😀", "é", ""]);
    expect(pieces.map(({ extracted_text_truncated }) => extracted_text_truncated)).toEqual([
      ...[true, true, true, true],
      ...[false, false],
    ]);
    expect(await slice(3)).toMatchObject({ extracted_text: "😀é", extracted_text_chars: 5 });
  });

  test("an event's text is cut where the next slice begins", async () => {
    const { as, inbox_id, inject } = await open();
    const text = `${"😀".repeat(LIMITS.event_text_chars)}tail`;
    const { id: message_id } = await inject(text);
    const { data } = await as.events.list({ types: "message.received" });
    const { message } = (data[0] ?? { data: {} }).data as {
      message: { extracted_text: string; extracted_text_chars: number };
    };
    const read = [...message.extracted_text].length;
    expect([read, message.extracted_text_chars]).toEqual([
      LIMITS.event_text_chars,
      LIMITS.event_text_chars + "tail".length,
    ]);
    expect(await as.messages.get({ inbox_id, message_id, offset: read })).toMatchObject({
      extracted_text: "tail",
    });
  });

  test("shows nothing of a held message, not even its length", async () => {
    const { as, inbox_id, inject, service } = await open();
    const { id: message_id } = await inject("secret words");
    await service.letterslot.services.storage.update(
      "messages",
      { id: message_id },
      { labels: ["received", "held"] },
    );
    expect(await as.messages.get({ inbox_id, message_id, max_chars: 3 })).toMatchObject({
      extracted_text: null,
      extracted_text_chars: null,
      extracted_text_truncated: false,
    });
  });

  test.each([{ max_chars: 0 }, { max_chars: -1 }, { offset: -1 }, { max_chars: 1.5 }])(
    "refuses %j",
    async (piece) => {
      const { as, inbox_id, inject } = await open();
      const { id: message_id } = await inject("x");
      await expect(as.messages.get({ inbox_id, message_id, ...piece })).rejects.toMatchObject({
        code: "invalid_request",
      });
    },
  );
});

describe("marking a message", () => {
  test("as read and unread works repeatedly, and the counts follow", async () => {
    const { as, inbox_id, inject } = await open();
    const { id: message_id, thread_id } = await inject("x");
    expect((await as.messages.read({ inbox_id, message_id })).labels).not.toContain("unread");
    expect(await as.threads.get({ inbox_id, thread_id })).toMatchObject({ unread_count: 0 });
    expect((await as.messages.read({ inbox_id, message_id, read: false })).labels).toContain("unread");
    expect((await as.messages.read({ inbox_id, message_id, read: false })).labels).not.toContain("read");
    expect(await as.threads.get({ inbox_id, thread_id })).toMatchObject({ unread_count: 1 });
    await expect(as.messages.read({ inbox_id, message_id: "msg_x" })).rejects.toMatchObject({
      code: "message_not_found",
    });
  });
});

describe("getting many messages", () => {
  test("returns those of this inbox in request order", async () => {
    const { as, inbox_id, inject } = await open();
    const first = await inject("one");
    const second = await inject("two");
    const other = await as.inboxes.create({ username: "other" });
    const foreign = await as.messages.inject({ inbox_id: other.id, from: "ada@example.com", text: "x" });
    const got = await as.messages.batchGet({
      inbox_id,
      message_ids: [second.id, foreign.id, "msg_unknown", first.id],
    });
    expect(got).toMatchObject({
      object: "list",
      limit: 4,
      count: 2,
      data: [{ id: second.id }, { id: first.id, text: expect.any(String) }],
    });
    const summaries = await as.messages.batchGet({ inbox_id, message_ids: [first.id], view: "summary" });
    expect(summaries.data[0]).not.toHaveProperty("text");
  });

  test.each([
    [[], "missing_message_ids"],
    [undefined, "missing_message_ids"],
    [["a", "a"], "duplicate_message_ids"],
    [Array.from({ length: 101 }, (_, index) => `msg_${index}`), "too_many_ids"],
  ])("refuses ids that are none or too many (%#)", async (message_ids, code) => {
    const { service, account, inbox_id } = await open();
    const call = service.letterslot.call(account.caller, "messages.batchGet", { inbox_id, message_ids });
    await expect(call).rejects.toMatchObject({ code });
  });
});

describe("the links of a message", () => {
  const html = `<p>See the <a href="https://a.example/report?id=7&amp;x=1">report</a>.</p>`;

  test("are in it and in the marked view, whole, and in its new text", async () => {
    const { as, account, inbox_id } = await open();
    const { id: message_id } = await account.as.messages.inject({ inbox_id, from: "ada@example.com", html });
    const url = "https://a.example/report?id=7&x=1";
    expect(await as.messages.get({ inbox_id, message_id })).toMatchObject({
      links: [{ text: "report", url, host: "a.example" }],
      extracted_text: `See the report (${url}).`,
      extraction: { method: "whole" },
    });
    expect((await as.messages.marked({ inbox_id, message_id })).text).toContain(`See the [report](${url}).`);
    expect((await as.messages.list({ inbox_id, view: "summary" })).data[0]).not.toHaveProperty("links");
  });

  test("are withheld while it is held, and none where there are none", async () => {
    const { service, as, account, inbox_id, inject } = await open();
    const { id: message_id } = await account.as.messages.inject({ inbox_id, from: "ada@example.com", html });
    const { storage } = service.letterslot.services;
    const record = await storage.get("messages", message_id);
    await storage.update("messages", { id: message_id }, { labels: [...(record?.labels ?? []), "held"] });
    expect((await as.messages.get({ inbox_id, message_id })).links).toBeNull();
    expect((await as.messages.get({ inbox_id, message_id: (await inject("Hi")).id })).links).toEqual([]);
  });

  test("have none of the secrets of letters", async () => {
    const { as, account, inbox_id } = await open();
    const secret = `https://x.example/?t=${newLetterWord()}`;
    const { id: message_id } = await account.as.messages.inject({
      ...{ inbox_id, from: "ada@example.com" },
      html: `<a href="${secret}">Go</a> <a href="https://a.example/b">${secret}</a>`,
    });
    const shown = await as.messages.get({ inbox_id, message_id });
    expect(JSON.stringify(shown)).not.toContain(secret.slice(-38));
    expect(shown.links).toEqual([]);
  });
});
