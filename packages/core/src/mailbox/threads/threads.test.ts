import { describe, expect, test } from "vitest";
import { createTestService, type TestAccount, type TestService } from "../../../testing/index.ts";

const bytes = (text: string) => Buffer.from(text).toString("base64");

async function open() {
  const service = createTestService();
  const account = await service.signUp();
  return { service, account, as: account.as, inbox_id: account.inbox.id };
}

/** Mails of one thread, oldest first: the first opens it, the others reply. */
async function conversation(
  { service, account }: { service: TestService; account: TestAccount },
  count: number,
  name = "a",
  start = 0,
) {
  const ids: string[] = [];
  for (let number = start; number < start + count; number++) {
    const { results } = await service.receive({
      from: "ada@example.com",
      to: account.inbox.email,
      subject: `Talk ${name}`,
      text: `Words ${name} number ${number}`,
      message_id: `<${name}-${number}@example.com>`,
      ...(number === 0 ? {} : { references: [`<${name}-0@example.com>`] }),
    });
    ids.push(results[0]?.message_id ?? "");
    await service.clock.advance(1000);
  }
  const first = await account.as.messages.get({ inbox_id: account.inbox.id, message_id: ids[0] ?? "" });
  return { thread_id: first.thread_id, ids };
}

/** Expects the thread's counts to match its messages. */
async function expectTrue({ letterslot }: TestService, thread_id: string) {
  const { storage } = letterslot.services;
  const messages = await storage.find("messages", {
    where: { thread_id },
    order: { by: "id", direction: "asc" },
    limit: 1000,
  });
  const thread = await storage.get("threads", thread_id);
  if (messages.length === 0) return expect(thread).toBeUndefined();
  return expect(thread).toMatchObject({
    message_count: messages.length,
    unread_count: messages.filter(({ labels }) => labels.includes("unread")).length,
    attachment_count: messages.reduce((sum, { attachments }) => sum + attachments.length, 0),
    last_message_id: messages.at(-1)?.id,
  });
}

describe("threads are listed", () => {
  test("with the newest message first, paged, filtered by labels and unread mail", async () => {
    const setting = await open();
    const { as, inbox_id } = setting;
    const threads = [];
    for (const name of ["a", "b", "c"]) threads.push(await conversation(setting, 1, name));
    const [a, b, c] = threads.map(({ thread_id }) => thread_id);
    await conversation(setting, 2, "a", 1);
    const first = await as.threads.list({ inbox_id, limit: 2 });
    expect(first).toMatchObject({ object: "list", has_more: true, data: [{ object: "thread" }, { id: c }] });
    const second = await as.threads.list({ inbox_id, limit: 2, cursor: first.next_cursor ?? "" });
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual([a, c, b]);
    expect(second).toMatchObject({ has_more: false, next_cursor: null });
    await expect(
      as.threads.list({ inbox_id, limit: 1, cursor: first.next_cursor ?? "", order: "asc" }),
    ).rejects.toMatchObject({
      code: "invalid_cursor",
    });
    expect((await as.threads.list({ inbox_id, order: "asc" })).data.map(({ id }) => id)).toEqual([b, c, a]);

    await as.threads.update({ inbox_id, thread_id: b ?? "", add_labels: ["todo", "read"] });
    expect((await as.threads.list({ inbox_id, label: ["todo"] })).data.map(({ id }) => id)).toEqual([b]);
    expect((await as.threads.list({ inbox_id, unread: true })).data.map(({ id }) => id)).toEqual([a, c]);
    expect((await as.threads.list({ inbox_id, unread: false })).data.map(({ id }) => id)).toEqual([b]);
  });

  test.each(["desc", "asc"] as const)(
    "by page in %s order without missing or repeating one, while mail comes in",
    async (order) => {
      const setting = await open();
      const { as, inbox_id } = setting;
      const names = ["a", "b", "c", "d", "e", "f", "g"];
      const begun = [];
      for (const name of names) begun.push((await conversation(setting, 1, name)).thread_id);
      const shown: string[] = [];
      let cursor: string | undefined;
      for (let page = 0; page === 0 || cursor !== undefined; page++) {
        const { data, next_cursor } = await as.threads.list({
          ...{ inbox_id, limit: 2, order },
          ...(cursor === undefined ? {} : { cursor }),
        });
        shown.push(...data.map(({ id }) => id));
        cursor = next_cursor ?? undefined;
        // Mail in threads that were shown, that were not, and in one that is new.
        for (const name of ["a", "c", "f", "g"]) await conversation(setting, 1, name, page + 1);
        await conversation(setting, 1, `new ${page}`);
      }
      expect(shown).toEqual(order === "asc" ? begun : begun.toReversed());
    },
  );

  test("by page in an order that cannot be kept, they are to be listed anew", async () => {
    const setting = await open();
    const { as, inbox_id, service } = setting;
    await conversation(setting, 1, "a");
    const { thread_id } = await conversation(setting, 1, "b");
    const { next_cursor } = await as.threads.list({ inbox_id, limit: 1 });
    const { storage } = service.letterslot.services;
    const thread = await storage.get("threads", thread_id);
    if (thread === undefined) throw new Error("no thread");
    for (let each = 0; each <= 1_000; each++)
      await storage.insert("threads", {
        ...thread,
        id: service.letterslot.services.makeId("thr"),
        last_message_id: service.letterslot.services.makeId("msg"),
      });
    await expect(as.threads.list({ inbox_id, limit: 1, cursor: next_cursor ?? "" })).rejects.toMatchObject({
      code: "invalid_cursor",
      fix: expect.stringContaining("without a cursor"),
    });
  });

  test("by the time of their newest message", async () => {
    const setting = await open();
    const { as, inbox_id, service } = setting;
    const old = await conversation(setting, 1, "old");
    const middle = service.clock.now().toISOString();
    await service.clock.advance(1000);
    const young = await conversation(setting, 1, "young");
    expect((await as.threads.list({ inbox_id, before: middle })).data.map(({ id }) => id)).toEqual([
      old.thread_id,
    ]);
    expect((await as.threads.list({ inbox_id, after: middle })).data.map(({ id }) => id)).toEqual([
      young.thread_id,
    ]);
    expect((await as.threads.list({ inbox_id, after: middle, before: middle })).data).toEqual([]);
  });

  test("across all inboxes of the account, or the one that a key is limited to", async () => {
    const setting = await open();
    const { as, account, service, inbox_id } = setting;
    const mine = await conversation(setting, 1, "first");
    const second = await as.inboxes.create({ username: "second" });
    await service.receive({ from: "ada@example.com", to: second.email });
    const stranger = await service.signUp("stranger");
    await service.receive({ from: "ada@example.com", to: stranger.inbox.email });
    expect((await as.threads.listAll({})).data.map((thread) => thread.inbox_id)).toEqual([
      second.id,
      inbox_id,
    ]);
    expect((await as.threads.listAll({ inbox_id })).data.map(({ id }) => id)).toEqual([mine.thread_id]);
    await expect(as.threads.listAll({ inbox_id: stranger.inbox.id })).rejects.toMatchObject({
      code: "inbox_not_found",
    });
    const key = await as.keys.createForInbox({ inbox_id: second.id, name: "scoped" });
    const scoped = service.letterslot.as(await service.letterslot.authenticate(key.api_key, null));
    expect((await scoped.threads.listAll({})).data.map((thread) => thread.inbox_id)).toEqual([second.id]);
    await as.inboxes.delete({ inbox_id: second.id, permanent: true });
    expect((await as.threads.listAll({ limit: 1 })).data.map((thread) => thread.inbox_id)).toEqual([
      account.inbox.id,
    ]);
  });
});

describe("one thread", () => {
  test("shows its messages oldest first, paged, whole or as summaries", async () => {
    const setting = await open();
    const { as, inbox_id } = setting;
    const { thread_id, ids } = await conversation(setting, 5);
    const first = await as.threads.get({ inbox_id, thread_id, limit: 3 });
    expect(first).toMatchObject({
      object: "thread",
      id: thread_id,
      message_count: 5,
      unread_count: 5,
      has_more: true,
    });
    const second = await as.threads.get({
      inbox_id,
      thread_id,
      limit: 3,
      cursor: first.next_cursor ?? "",
      view: "summary",
    });
    expect([...first.messages, ...second.messages].map(({ id }) => id)).toEqual(ids);
    expect(first.messages[0]).toHaveProperty("text");
    expect(second.messages[0]).not.toHaveProperty("text");
    expect(second).toMatchObject({ has_more: false, next_cursor: null });
  });

  test("of another inbox, unknown or mistyped is thread_not_found", async () => {
    const setting = await open();
    const { as, service } = setting;
    const { thread_id } = await conversation(setting, 1);
    const second = await as.inboxes.create({ username: "second" });
    const not_found = { code: "thread_not_found" };
    const input = { inbox_id: second.id, thread_id };
    await expect(as.threads.get(input)).rejects.toMatchObject(not_found);
    await expect(as.threads.update({ ...input, add_labels: ["a"] })).rejects.toMatchObject(not_found);
    await expect(as.threads.delete(input)).rejects.toMatchObject(not_found);
    await expect(as.threads.attachment({ ...input, attachment_id: "att_x" })).rejects.toMatchObject(
      not_found,
    );
    const stranger = await service.signUp("stranger");
    await expect(stranger.as.threads.get({ inbox_id: stranger.inbox.id, thread_id })).rejects.toMatchObject(
      not_found,
    );
    const mistyped = thread_id.slice(0, -1) + (thread_id.endsWith("0") ? "1" : "0");
    await expect(as.threads.get({ ...input, thread_id: mistyped })).rejects.toMatchObject({
      ...not_found,
      fix: expect.stringContaining("mistyped"),
    });
  });

  test("serves attachments of its messages, except of held ones", async () => {
    const { as, inbox_id, service } = await open();
    const attachments = [{ filename: "a.txt", content_base64: bytes("inside"), content_type: "text/plain" }];
    const message = await as.messages.inject({ inbox_id, from: "ada@example.com", text: "x", attachments });
    const input = { inbox_id, thread_id: message.thread_id, attachment_id: message.attachments[0]?.id ?? "" };
    const download = await as.threads.attachment(input);
    expect(new TextDecoder().decode(download.bytes)).toBe("inside");
    expect(download.headers).toMatchObject({ "X-Content-Type-Options": "nosniff" });
    for (const attachment_id of ["nonsense", `att_${"0".repeat(20)}`])
      await expect(as.threads.attachment({ ...input, attachment_id })).rejects.toMatchObject({
        code: "attachment_not_found",
      });
    await service.letterslot.services.storage.update(
      "messages",
      { id: message.id },
      { labels: ["received", "held"] },
    );
    await expect(as.threads.attachment(input)).rejects.toMatchObject({ code: "message_held" });
  });
});

describe("a thread's labels", () => {
  test("are its own; read and unread apply to all its received messages", async () => {
    const setting = await open();
    const { as, inbox_id, service } = setting;
    const { thread_id, ids } = await conversation(setting, 3);
    await as.messages.reply({ inbox_id, message_id: ids[2] ?? "", text: "Mine." });
    const changed = await as.threads.update({ inbox_id, thread_id, add_labels: ["todo", "read"] });
    expect(changed).toMatchObject({ object: "thread", labels: ["todo"], unread_count: 0, message_count: 4 });
    expect((await as.messages.list({ inbox_id, label: ["unread"] })).data).toEqual([]);
    await conversation(setting, 1, "other");
    const labelled = await as.threads.search({ inbox_id, q: "label:todo" });
    expect(labelled.data.map(({ thread }) => thread.id)).toEqual([thread_id]);
    expect((await as.search.messages({ q: "label:todo label:read" })).data).toHaveLength(3);
    const back = await as.threads.update({
      inbox_id,
      thread_id,
      add_labels: ["unread"],
      remove_labels: ["todo"],
    });
    expect(back).toMatchObject({ labels: [], unread_count: 3 });
    expect((await as.messages.list({ inbox_id, label: ["unread"], direction: "outbound" })).data).toEqual([]);
    await expectTrue(service, thread_id);
  });

  test("reach every message of a long thread", async () => {
    const setting = await open();
    const { as, inbox_id, service } = setting;
    const { thread_id } = await conversation(setting, 1, "long");
    for (let number = 0; number < 210; number++)
      await service.receive({
        from: "ada@example.com",
        to: setting.account.inbox.email,
        references: ["<long-0@example.com>"],
        message_id: `<long-x-${number}@example.com>`,
      });
    expect(await as.threads.update({ inbox_id, thread_id, remove_labels: ["unread"] })).toMatchObject({
      message_count: 211,
      unread_count: 0,
    });
    expect(await as.threads.delete({ inbox_id, thread_id })).toMatchObject({ messages_deleted: 211 });
    await expectTrue(service, thread_id);
  });

  test.each([
    [{}, "missing_labels"],
    [{ add_labels: ["held"] }, "protected_label"],
    [{ add_labels: ["UP"] }, "invalid_label"],
    [{ add_labels: ["a"], remove_labels: ["a"] }, "label_conflict"],
  ])("refuse %j with %s", async (change, code) => {
    const setting = await open();
    const { thread_id } = await conversation(setting, 1);
    await expect(
      setting.as.threads.update({ inbox_id: setting.inbox_id, thread_id, ...change }),
    ).rejects.toMatchObject({ code });
  });
});

describe("deleting", () => {
  test("a thread deletes its messages, tasks and queued mail, and returns the number of messages", async () => {
    const setting = await open();
    const { as, inbox_id, service, account } = setting;
    await service.addOwner(account, "ada@example.com");
    const { thread_id, ids } = await conversation(setting, 2);
    await as.messages.reply({ inbox_id, message_id: ids[1] ?? "", text: "Mine." });
    expect((await as.tasks.list({ inbox_id })).data).toHaveLength(2);
    const sent = service.transport.sent.length;
    expect(await as.threads.delete({ inbox_id, thread_id })).toEqual({
      id: thread_id,
      object: "thread",
      deleted: true,
      messages_deleted: 3,
      restorable_until: expect.any(String),
    });
    await service.work();
    expect(service.transport.sent).toHaveLength(sent);
    expect((await as.tasks.list({ inbox_id })).data).toEqual([]);
    await expect(as.threads.get({ inbox_id, thread_id })).rejects.toMatchObject({ code: "thread_not_found" });
    await expect(as.messages.get({ inbox_id, message_id: ids[0] ?? "" })).rejects.toMatchObject({
      code: "message_not_found",
    });
  });

  test("the newest message restores the previous preview, never that of held mail", async () => {
    const setting = await open();
    const { as, inbox_id, service } = setting;
    const { thread_id, ids } = await conversation(setting, 3);
    await service.letterslot.services.storage.update(
      "messages",
      { id: ids[1] ?? "" },
      { labels: ["received", "unread", "held"] },
    );
    await as.messages.delete({ inbox_id, message_id: ids[2] ?? "" });
    const thread = await as.threads.get({ inbox_id, thread_id });
    expect(thread).toMatchObject({ preview: "Words a number 0", last_message_id: ids[1] });
  });

  test("the only reply leaves the thread as if it had not been sent", async () => {
    const setting = await open();
    const { as, inbox_id } = setting;
    const { thread_id, ids } = await conversation(setting, 1);
    const before = await as.threads.get({ inbox_id, thread_id });
    const reply = await as.messages.reply({ inbox_id, message_id: ids[0] ?? "", text: "Mine." });
    expect((await as.threads.get({ inbox_id, thread_id })).sent_at).not.toBeNull();
    await as.messages.delete({ inbox_id, message_id: reply.id });
    const { sent_at, received_at, preview, message_count } = await as.threads.get({ inbox_id, thread_id });
    expect({ sent_at, received_at, preview, message_count }).toEqual({
      sent_at: null,
      received_at: before.received_at,
      preview: before.preview,
      message_count: 1,
    });
  });

  test("an update's thread lets the next update open a new one", async () => {
    const { as, inbox_id, service, account } = await open();
    await service.addOwner(account, "ada@example.com");
    const update = { inbox_id, kind: "progress" as const, text: "Going on.", task_id: "job" };
    const first = await as.updates.create(update);
    await service.work();
    const message = await as.messages.get({ inbox_id, message_id: first.deliveries[0]?.message_id ?? "" });
    await as.threads.delete({ inbox_id, thread_id: message.thread_id });
    const second = await as.updates.create(update);
    await service.work();
    const next = await as.messages.get({ inbox_id, message_id: second.deliveries[0]?.message_id ?? "" });
    expect(next.thread_id).not.toBe(message.thread_id);
    await expectTrue(service, next.thread_id);
  });
});

describe("a reply that came before its parent", () => {
  const idOf = (name: string) => `<${name}@example.com>`;
  /** Receives a mail that follows those named, the nearest last. */
  const arrive = async (
    { service, account }: Awaited<ReturnType<typeof open>>,
    name: string,
    after: string[] = [],
  ) => {
    const { results } = await service.receive({
      from: "Ada <ada@example.com>",
      to: account.inbox.email,
      subject: `Mail ${name}`,
      text: `Words of ${name}`,
      message_id: idOf(name),
      references: after.map(idOf),
    });
    await service.clock.advance(1000);
    const message_id = results[0]?.message_id ?? "";
    return account.as.messages.get({ inbox_id: account.inbox.id, message_id });
  };
  const subjectsOf = async ({ as, inbox_id }: Awaited<ReturnType<typeof open>>, thread_id: string) =>
    (await as.threads.get({ inbox_id, thread_id })).messages.map(({ subject }) => subject);

  test("shares its thread as soon as the parent is here", async () => {
    const setting = await open();
    const { thread_id } = await arrive(setting, "reply", ["root", "parent"]);
    expect((await arrive(setting, "parent", ["root"])).thread_id).toBe(thread_id);
    expect((await arrive(setting, "root")).thread_id).toBe(thread_id);
    expect(await subjectsOf(setting, thread_id)).toEqual(["Mail reply", "Mail parent", "Mail root"]);
    await expectTrue(setting.service, thread_id);
    expect((await arrive(setting, "another")).thread_id).not.toBe(thread_id);
  });

  test("moves to the parent's thread, with all that followed it", async () => {
    const setting = await open();
    const { as, inbox_id, service, account } = setting;
    await service.addOwner(account, "ada@example.com");
    const root = await arrive(setting, "root");
    const early = [await arrive(setting, "first", ["parent"]), await arrive(setting, "second", ["parent"])];
    const answer = await as.messages.reply({ inbox_id, message_id: early[0]?.id ?? "", text: "Mine." });
    const lone = early.map(({ thread_id }) => thread_id);
    expect(new Set([root.thread_id, ...lone]).size).toBe(2);
    await as.threads.update({ inbox_id, thread_id: lone[1] ?? "", add_labels: ["todo"] });

    expect((await arrive(setting, "parent", ["root"])).thread_id).toBe(root.thread_id);
    expect(await subjectsOf(setting, root.thread_id)).toEqual([
      "Mail root",
      "Mail first",
      "Mail second",
      "Re: Mail first",
      "Mail parent",
    ]);
    await expectTrue(service, root.thread_id);
    const thread = await as.threads.get({ inbox_id, thread_id: root.thread_id });
    expect(thread).toMatchObject({
      labels: ["todo"],
      preview: "Words of parent",
      sent_at: answer.created_at,
    });
    expect(thread.participants).toEqual([
      { address: "ada@example.com", name: "Ada" },
      { address: account.inbox.email, name: null },
    ]);
    for (const thread_id of lone)
      await expect(as.threads.get({ inbox_id, thread_id })).rejects.toMatchObject({
        code: "thread_not_found",
      });
    const tasks = await as.tasks.list({ inbox_id });
    expect(new Set(tasks.data.map(({ thread_id }) => thread_id))).toEqual(new Set([root.thread_id]));
    const found = await as.threads.search({ inbox_id, q: "first" });
    expect(found.data).toMatchObject([
      { thread: { id: root.thread_id }, message: { thread_id: root.thread_id } },
    ]);
    expect((await arrive(setting, "late", ["second"])).thread_id).toBe(root.thread_id);
  });

  test("in another inbox, or in a thread of its own by then, stays where it is", async () => {
    const setting = await open();
    const { as, service } = setting;
    const second = await as.inboxes.create({ username: "second" });
    const elsewhere = { from: "ada@example.com", to: second.email, references: [idOf("parent")] };
    await service.receive({ ...elsewhere, text: "Elsewhere" });
    const root = await arrive(setting, "root");
    const known = await arrive(setting, "known", ["parent", "root"]);
    expect(known.thread_id).toBe(root.thread_id);
    const parent = await arrive(setting, "parent");
    expect(await subjectsOf(setting, parent.thread_id)).toEqual(["Mail parent"]);
    expect((await as.threads.list({ inbox_id: second.id })).data).toMatchObject([{ message_count: 1 }]);
  });

  test("that the agent sent, or that was deleted, is no different", async () => {
    const setting = await open();
    const { as, inbox_id, service } = setting;
    const mail = { inbox_id, to: ["ada@example.com"], subject: "Before", text: "x" };
    const sent = await as.messages.send({ ...mail, in_reply_to: idOf("parent") });
    const gone = await arrive(setting, "gone", ["parent"]);
    await as.messages.delete({ inbox_id, message_id: gone.id });
    expect((await arrive(setting, "parent")).thread_id).toBe(sent.thread_id);
    const { storage } = service.letterslot.services;
    expect(await storage.count("awaited_references", {}, 10)).toBe(1);
    await as.threads.delete({ inbox_id, thread_id: sent.thread_id ?? "" });
    expect(await storage.count("awaited_references", {}, 10)).toBe(0);
  });

  test("of a long thread stays where it is", async () => {
    const setting = await open();
    const root = await arrive(setting, "root");
    const long = await arrive(setting, "long", ["parent"]);
    for (let each = 0; each < 50; each++) await arrive(setting, `long ${each}`, ["long"]);
    const short = await arrive(setting, "short", ["parent"]);
    expect(short.thread_id).toBe(long.thread_id);
    const parent = await arrive(setting, "parent", ["root"]);
    expect(parent.thread_id).toBe(root.thread_id);
    expect(await subjectsOf(setting, root.thread_id)).toEqual(["Mail root", "Mail parent"]);
    await expectTrue(setting.service, long.thread_id);
  });
});

describe("counts", () => {
  test("stay correct while mail arrives, labels change and messages are deleted concurrently", async () => {
    const setting = await open();
    const { as, inbox_id, service, account } = setting;
    const { thread_id, ids } = await conversation(setting, 8, "busy");
    const receive = (number: number) =>
      service.receive({
        from: "ada@example.com",
        to: account.inbox.email,
        references: ["<busy-0@example.com>"],
        message_id: `<busy-new-${number}@example.com>`,
      });
    const message = (at: number) => ({ inbox_id, message_id: ids[at] ?? "" });
    await Promise.all([
      ...[1, 2, 3, 4, 5, 6].map(receive),
      as.messages.update({ ...message(0), add_labels: ["read"] }),
      as.messages.update({ ...message(0), add_labels: ["unread"] }),
      as.messages.read(message(1)),
      as.messages.read({ ...message(1), read: false }),
      as.messages.batchUpdate({ inbox_id, message_ids: ids.slice(0, 4), add_labels: ["read"] }),
      as.threads.update({ inbox_id, thread_id, add_labels: ["read", "todo"] }),
      as.threads.update({ inbox_id, thread_id, add_labels: ["unread"] }),
      as.messages.delete(message(7)),
      // Two deletions of one message race; either may win.
      ...[5, 6].map((at) => Promise.any([as.messages.delete(message(at)), as.messages.delete(message(at))])),
      ...[2, 3].map((at) => as.messages.update({ ...message(at), remove_labels: ["read"] })),
      as.messages.reply({ ...message(4), text: "Mine." }),
    ]);
    await expectTrue(service, thread_id);
    expect(await service.letterslot.services.storage.get("threads", thread_id)).toMatchObject({
      message_count: 12,
      labels: ["todo"],
    });
  });

  test("a deleted thread is gone or complete, whatever arrives meanwhile", async () => {
    const setting = await open();
    const { as, inbox_id, service, account } = setting;
    const { thread_id } = await conversation(setting, 3, "gone");
    await Promise.all([
      // The two race; either may win.
      Promise.any([as.threads.delete({ inbox_id, thread_id }), as.threads.delete({ inbox_id, thread_id })]),
      ...[1, 2, 3].map((number) =>
        service.receive({
          from: "ada@example.com",
          to: account.inbox.email,
          references: ["<gone-0@example.com>"],
          message_id: `<late-${number}@example.com>`,
        }),
      ),
      as.threads.update({ inbox_id, thread_id, add_labels: ["read"] }).catch(() => undefined),
    ]);
    const messages = await service.letterslot.services.storage.find("messages", { where: {}, limit: 100 });
    for (const id of new Set([thread_id, ...messages.map((message) => message.thread_id)]))
      await expectTrue(service, id);
  });
});

describe("searching threads", () => {
  test("finds each once, by its newest matching message, across all pages", async () => {
    const setting = await open();
    const { as, inbox_id } = setting;
    const a = await conversation(setting, 3, "a");
    const b = await conversation(setting, 2, "b");
    await conversation(setting, 1, "c");
    const again = await conversation(setting, 4, "a", 3);
    expect(again.thread_id).toBe(a.thread_id);
    const first = await as.threads.search({ inbox_id, q: "number", limit: 1 });
    expect(first).toMatchObject({
      object: "list",
      q: "number",
      has_more: true,
      data: [
        {
          object: "search_hit",
          thread: { object: "thread", id: a.thread_id },
          message: { thread_id: a.thread_id },
        },
      ],
    });
    const found = [...first.data];
    for (let cursor = first.next_cursor; cursor !== null; ) {
      const page = await as.threads.search({ inbox_id, q: "number", limit: 1, cursor });
      found.push(...page.data);
      cursor = page.next_cursor;
    }
    expect(found.map(({ thread }) => thread.subject)).toEqual(["Talk a", "Talk c", "Talk b"]);
    const old = await as.threads.search({ inbox_id, q: '"a number 1"' });
    expect(old.data).toMatchObject([{ message: { extracted_text: expect.stringContaining("number 1") } }]);
    expect((await as.threads.search({ inbox_id, q: "subject:talk words b" })).data).toMatchObject([
      { thread: { id: b.thread_id } },
    ]);
    await expect(as.threads.search({ inbox_id, q: "?!" })).rejects.toMatchObject({ code: "missing_query" });
  });

  test("by page misses and repeats none while mail comes in", async () => {
    const setting = await open();
    const { as, inbox_id } = setting;
    const names = ["a", "b", "c", "d", "e"];
    for (const name of names) await conversation(setting, 2, name);
    const shown: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; page === 0 || cursor !== undefined; page++) {
      const found = await as.threads.search({
        ...{ inbox_id, q: "number", limit: 1 },
        ...(cursor === undefined ? {} : { cursor }),
      });
      shown.push(...found.data.map(({ thread }) => thread.subject));
      cursor = found.next_cursor ?? undefined;
      for (const name of ["a", "c", "e"]) await conversation(setting, 1, name, page + 2);
    }
    expect(shown).toEqual(names.toReversed().map((name) => `Talk ${name}`));
  });

  test("searching one inbox's messages finds no other inbox's", async () => {
    const setting = await open();
    const { as, inbox_id, service } = setting;
    await conversation(setting, 1, "mine");
    const second = await as.inboxes.create({ username: "second" });
    await service.receive({ from: "ada@example.com", to: second.email, text: "Words elsewhere" });
    expect((await as.messages.search({ inbox_id, q: "words" })).data).toMatchObject([
      { message: { inbox_id } },
    ]);
    expect((await as.search.messages({ q: "words" })).data).toHaveLength(2);
    await expect(as.messages.search({ inbox_id, q: " " })).rejects.toMatchObject({ code: "missing_query" });
  });
});
