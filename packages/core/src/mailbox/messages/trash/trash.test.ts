import { describe, expect, test } from "vitest";
import { createTestService, type TestAccount, type TestService } from "../../../../testing/index.ts";
import type { Message } from "../../../model/messages.ts";

const OWNER = "olga@owner.example";
const DAY_MS = 24 * 3600_000;

async function open() {
  const service = createTestService();
  const account = await service.signUp();
  return { service, account, as: account.as, inbox_id: account.inbox.id };
}

async function receive(
  { service, account }: { service: TestService; account: TestAccount },
  name: string,
  more: Partial<Parameters<TestService["receive"]>[0]> = {},
) {
  const { results } = await service.receive({
    from: "ada@example.com",
    to: account.inbox.email,
    subject: `Subject of ${name}`,
    text: `Words of ${name}`,
    message_id: `<${name}@example.com>`,
    ...more,
  });
  await service.clock.advance(1000);
  return results[0]?.message_id ?? "";
}

const file = {
  filename: "plan.txt",
  content_type: "text/plain",
  content_base64: Buffer.from("inside").toString("base64"),
};

/** A message without what only `get` says of its text. */
const whole = ({
  extracted_text_chars: _chars,
  extracted_text_truncated: _cut,
  ...message
}: Message): Message => message;

const idsOf = (list: { data: { id: string }[] }) => list.data.map(({ id }) => id);

/** A session of a person with authority over the account. */
async function session({ service, account }: { service: TestService; account: TestAccount }) {
  await service.addOwner(account, OWNER);
  const account_id = account.account_id;
  const olga = service.letterslot.asOwner({ email: OWNER, account_id });
  await olga.authority.create({ account_id });
  return olga;
}

describe("a deleted message", () => {
  test("is nowhere but in the trash, which says until when and who deleted it", async () => {
    const setting = await open();
    const { service, as, inbox_id } = setting;
    const message_id = await receive(setting, "a");
    const before = await as.messages.get({ inbox_id, message_id });
    const deleted = await as.messages.delete({ inbox_id, message_id });
    const restorable_until = new Date(service.clock.now().getTime() + 30 * DAY_MS).toISOString();
    expect(deleted).toEqual({ id: message_id, object: "message", deleted: true, restorable_until });
    expect(idsOf(await as.messages.list({ inbox_id }))).toEqual([]);
    expect(idsOf(await as.threads.list({ inbox_id }))).toEqual([]);
    expect((await as.search.messages({ q: "words" })).data).toEqual([]);
    expect((await as.messages.wait({ inbox_id, wait: 0 })).data).toEqual([]);
    const trash = await as.messages.list({ inbox_id, folder: "trash" });
    expect(trash.data).toEqual([
      {
        ...whole(before),
        restorable_until,
        deleted_by: { type: "key", key_id: expect.any(String), client_id: null, email: null },
      },
    ]);
  });

  test("comes back as it was: to lists, search, waits, its thread, and with its bytes", async () => {
    const setting = await open();
    const { as, inbox_id, service } = setting;
    const injected = await as.messages.inject({
      inbox_id,
      from: "ada@example.com",
      subject: "With a file",
      text: "See the file.",
      attachments: [file],
    });
    const message_id = injected.id;
    const before = await as.messages.get({ inbox_id, message_id });
    const thread = await as.threads.get({ inbox_id, thread_id: before.thread_id });
    await as.messages.delete({ inbox_id, message_id });
    await service.clock.advance(3 * DAY_MS);
    await service.work();
    expect(await as.messages.restore({ inbox_id, message_id })).toEqual(whole(before));
    expect(await as.messages.get({ inbox_id, message_id })).toEqual(before);
    expect(await as.threads.get({ inbox_id, thread_id: before.thread_id })).toEqual({
      ...thread,
      updated_at: expect.any(String),
    });
    expect((await as.search.messages({ q: "file" })).data).toHaveLength(1);
    expect((await as.messages.wait({ inbox_id, wait: 0 })).data).toHaveLength(1);
    expect(idsOf(await as.messages.list({ inbox_id, from: "ada@example.com" }))).toEqual([message_id]);
    const [attachment] = before.attachments;
    const bytes = await as.attachments.get({ inbox_id, message_id, attachment_id: attachment?.id ?? "" });
    expect(Buffer.from(bytes.bytes).toString()).toBe("inside");
    expect((await as.messages.list({ inbox_id, folder: "trash" })).data).toEqual([]);
  });

  test("brings the task that it made back", async () => {
    const setting = await open();
    const { as, inbox_id, service, account } = setting;
    await service.addOwner(account, OWNER);
    const message_id = await receive(setting, "order", { from: OWNER });
    const [task] = (await as.tasks.list({})).data;
    await as.tasks.claim({ lease_seconds: 30 });
    await as.messages.delete({ inbox_id, message_id });
    expect((await as.tasks.list({ status: "all" })).data).toEqual([]);
    await expect(as.tasks.get({ task_id: task?.id ?? "" })).rejects.toMatchObject({ code: "task_not_found" });
    await as.messages.restore({ inbox_id, message_id });
    expect((await as.tasks.list({})).data).toMatchObject([
      { id: task?.id, status: "pending", claim: null, trusted: task?.trusted, text: "Words of order" },
    ]);
  });

  test("that its sender sends again is stored anew, and keeps apart when it is restored", async () => {
    const setting = await open();
    const { as, inbox_id } = setting;
    const date = "Thu, 01 Jan 2026 00:00:00 +0000";
    const message_id = await receive(setting, "a", { date });
    expect(await receive(setting, "a", { date })).toBe(message_id);
    await as.messages.delete({ inbox_id, message_id });
    const again = await receive(setting, "a", { date });
    expect(again).not.toBe(message_id);
    await as.messages.restore({ inbox_id, message_id });
    expect(idsOf(await as.messages.list({ inbox_id }))).toEqual([again, message_id]);
  });

  test("that waited to be sent is not sent, neither while it lies there nor once it is back", async () => {
    const { as, inbox_id, service } = await open();
    const sent = await as.messages.send({
      inbox_id,
      to: ["bob@example.com"],
      text: "Hello.",
      client_id: "one",
    });
    await as.messages.delete({ inbox_id, message_id: sent.id });
    await as.messages.restore({ inbox_id, message_id: sent.id });
    await service.work();
    expect(service.transport.sent).toEqual([]);
    expect(await as.messages.get({ inbox_id, message_id: sent.id })).toMatchObject({
      status: "failed",
      client_id: "one",
    });
    expect((await as.overview.get({})).failed).toMatchObject([{ id: sent.id }]);
  });

  test("that leaves while it is deleted comes back as sent", async () => {
    let sending = async () => {};
    const transport = {
      name: "slow",
      async send({ envelope }: { envelope: { rcpt_to: string[] } }) {
        await sending();
        return envelope.rcpt_to.map((recipient) => ({
          ...{ recipient, outcome: "accepted" as const, detail: "250 ok" },
        }));
      },
    };
    const service = createTestService({ transport: transport as never });
    const { as, inbox } = await service.signUp();
    const inbox_id = inbox.id;
    const sent = await as.messages.send({ inbox_id, to: ["bob@example.com"], text: "Hello." });
    sending = async () => void (await as.messages.delete({ inbox_id, message_id: sent.id }));
    await service.work();
    const [trashed] = (await as.messages.list({ inbox_id, folder: "trash" })).data;
    expect(trashed).toMatchObject({ id: sent.id, status: "sent", provider: "slow" });
    expect(await as.messages.restore({ inbox_id, message_id: sent.id })).toMatchObject({
      status: "sent",
      delivery_events: [{ type: "sent", recipient: "bob@example.com" }],
    });
    expect((await as.overview.get({})).failed).toEqual([]);
  });

  test("with a client_id that another has got since comes back without it", async () => {
    const { as, inbox_id } = await open();
    const hello = { inbox_id, to: ["bob@example.com"], text: "Hello.", client_id: "one" };
    const first = await as.messages.send(hello);
    await as.messages.delete({ inbox_id, message_id: first.id });
    const second = await as.messages.send(hello);
    expect(second.id).not.toBe(first.id);
    expect(await as.messages.restore({ inbox_id, message_id: first.id })).toMatchObject({ client_id: null });
    expect((await as.messages.get({ inbox_id, message_id: second.id })).client_id).toBe("one");
  });

  test("is 409 to restore while it is there, 404 when it never was, or is another inbox's", async () => {
    const setting = await open();
    const { as, inbox_id, service } = setting;
    const message_id = await receive(setting, "a");
    await expect(as.messages.restore({ inbox_id, message_id })).rejects.toMatchObject({
      code: "not_in_trash",
    });
    await as.messages.delete({ inbox_id, message_id });
    const other = await service.signUp("eve");
    await expect(other.as.messages.restore({ inbox_id: other.inbox.id, message_id })).rejects.toMatchObject({
      code: "message_not_found",
    });
    await expect(as.messages.restore({ inbox_id, message_id: "msg_x" })).rejects.toMatchObject({
      code: "message_not_found",
    });
    await expect(as.messages.delete({ inbox_id, message_id })).rejects.toMatchObject({
      code: "message_not_found",
    });
  });

  test("by a person in their session is restored by a person alone", async () => {
    const setting = await open();
    const { as, inbox_id } = setting;
    const message_id = await receive(setting, "a");
    const olga = await session(setting);
    await olga.messages.delete({ inbox_id, message_id });
    await expect(as.messages.restore({ inbox_id, message_id })).rejects.toMatchObject({ code: "owner_only" });
    const [trashed] = (await as.messages.list({ inbox_id, folder: "trash" })).data;
    expect(trashed).toMatchObject({ deleted_by: { type: "owner", email: OWNER } });
    expect((await olga.messages.restore({ inbox_id, message_id })).id).toBe(message_id);
  });

  test("leaves for good with permanent=true, which takes message_delete, also from the trash", async () => {
    const setting = await open();
    const { as, inbox_id, account, service } = setting;
    const [a, b] = [await receive(setting, "a"), await receive(setting, "b")];
    const { api_key } = await as.keys.create({ name: "sender", permissions: ["message_send"] });
    const sender = service.letterslot.as(await service.letterslot.authenticate(api_key, null));
    await expect(sender.messages.delete({ inbox_id, message_id: a, permanent: true })).rejects.toMatchObject({
      code: "permission_denied",
      param: "message_delete",
    });
    expect((await sender.messages.delete({ inbox_id, message_id: a })).restorable_until).not.toBeNull();
    for (const message_id of [a, b])
      expect(await as.messages.delete({ inbox_id, message_id, permanent: true })).toMatchObject({
        restorable_until: null,
      });
    expect((await as.messages.list({ inbox_id, folder: "trash" })).data).toEqual([]);
    expect((await as.threads.list({ inbox_id, folder: "trash" })).data).toEqual([]);
    const { storage } = service.letterslot.services;
    expect((await storage.get("accounts", account.account_id))?.storage_bytes).toBe(0);
  });

  test("takes storage until it leaves for good, after as many days as the deployment says", async () => {
    const service = createTestService({ trashDays: 2 });
    const account = await service.signUp();
    const setting = { service, account };
    const { as } = account;
    const inbox_id = account.inbox.id;
    const message_id = await receive(setting, "a");
    const { storage } = service.letterslot.services;
    const bytes = async () => (await storage.get("accounts", account.account_id))?.storage_bytes;
    const before = await bytes();
    await as.messages.delete({ inbox_id, message_id });
    expect(await bytes()).toBe(before);
    await service.clock.advance(2 * DAY_MS - 60_000);
    await service.letterslot.sweep();
    expect((await as.messages.list({ inbox_id, folder: "trash" })).data).toHaveLength(1);
    await service.clock.advance(2 * 60_000);
    await service.letterslot.sweep();
    expect((await as.messages.list({ inbox_id, folder: "trash" })).data).toEqual([]);
    expect(await bytes()).toBe(0);
    await expect(as.messages.restore({ inbox_id, message_id })).rejects.toMatchObject({
      code: "message_not_found",
    });
  });
});

describe("a deleted thread", () => {
  async function conversation() {
    const setting = await open();
    const { as, inbox_id } = setting;
    const ids = [await receive(setting, "a")];
    for (const name of ["b", "c"])
      ids.push(await receive(setting, name, { references: ["<a@example.com>"] }));
    const { thread_id } = await as.messages.get({ inbox_id, message_id: ids[0] ?? "" });
    return { ...setting, thread_id, ids };
  }

  test("goes with its messages and comes back with them, labels and folder too", async () => {
    const { as, inbox_id, thread_id, ids } = await conversation();
    await as.threads.update({ inbox_id, thread_id, add_labels: ["important"] });
    await as.threads.move({ inbox_id, thread_ids: [thread_id], folder: "archive" });
    const before = await as.threads.get({ inbox_id, thread_id });
    expect(await as.threads.delete({ inbox_id, thread_id })).toMatchObject({
      messages_deleted: 3,
      restorable_until: expect.any(String),
    });
    await expect(as.threads.get({ inbox_id, thread_id })).rejects.toMatchObject({ code: "thread_not_found" });
    for (const message_id of ids)
      await expect(as.messages.get({ inbox_id, message_id })).rejects.toMatchObject({
        code: "message_not_found",
      });
    for (const list of [
      await as.threads.list({ inbox_id, folder: "trash" }),
      await as.threads.listAll({ folder: "trash" }),
    ])
      expect(list.data).toMatchObject([
        { id: thread_id, folder: "trash", message_count: 3, deleted_by: { type: "key" } },
      ]);
    expect(idsOf(await as.messages.list({ inbox_id, folder: "trash" }))).toEqual(ids.toReversed());
    const restored = await as.threads.restore({ inbox_id, thread_id });
    expect(restored).toMatchObject({ id: thread_id, folder: "archive", labels: ["important"] });
    expect(await as.threads.get({ inbox_id, thread_id })).toEqual({
      ...before,
      updated_at: expect.any(String),
    });
    expect((await as.threads.list({ inbox_id, folder: "trash" })).data).toEqual([]);
    await expect(as.threads.restore({ inbox_id, thread_id })).rejects.toMatchObject({ code: "not_in_trash" });
  });

  test("leaves a message there that was deleted by itself before", async () => {
    const { as, inbox_id, thread_id, ids } = await conversation();
    const [a = "", b = "", c = ""] = ids;
    await as.messages.delete({ inbox_id, message_id: b });
    expect(await as.threads.get({ inbox_id, thread_id })).toMatchObject({
      message_count: 2,
      unread_count: 2,
    });
    await as.threads.delete({ inbox_id, thread_id });
    await as.threads.restore({ inbox_id, thread_id });
    expect(idsOf(await as.messages.list({ inbox_id }))).toEqual([c, a]);
    await as.messages.restore({ inbox_id, message_id: b });
    expect(await as.threads.get({ inbox_id, thread_id })).toMatchObject({
      message_count: 3,
      unread_count: 3,
    });
  });

  test("comes back with one message of it, and the others stay in the trash one by one", async () => {
    const { as, inbox_id, thread_id, ids } = await conversation();
    const [a = "", b = "", c = ""] = ids;
    await as.threads.delete({ inbox_id, thread_id });
    await as.messages.restore({ inbox_id, message_id: b });
    expect(await as.threads.get({ inbox_id, thread_id })).toMatchObject({
      message_count: 1,
      last_message_id: b,
    });
    expect((await as.threads.list({ inbox_id, folder: "trash" })).data).toEqual([]);
    expect(idsOf(await as.messages.list({ inbox_id, folder: "trash" }))).toEqual([c, a]);
    await as.messages.restore({ inbox_id, message_id: c });
    expect(await as.threads.get({ inbox_id, thread_id })).toMatchObject({
      message_count: 2,
      last_message_id: c,
    });
  });

  test("takes up the replies that came meanwhile", async () => {
    const setting = await conversation();
    const { as, inbox_id, thread_id } = setting;
    await as.threads.delete({ inbox_id, thread_id });
    const reply = await receive(setting, "d", { references: ["<a@example.com>", "<c@example.com>"] });
    const apart = await as.messages.get({ inbox_id, message_id: reply });
    expect(apart.thread_id).not.toBe(thread_id);
    await as.threads.restore({ inbox_id, thread_id });
    expect((await as.messages.get({ inbox_id, message_id: reply })).thread_id).toBe(thread_id);
    expect(await as.threads.get({ inbox_id, thread_id })).toMatchObject({ message_count: 4 });
    expect(idsOf(await as.threads.list({ inbox_id }))).toEqual([thread_id]);
  });

  test("is moved to the trash as to any folder, with message_delete, and says so in events", async () => {
    const { as, inbox_id, thread_id, service } = await conversation();
    const { api_key } = await as.keys.create({ name: "filer", permissions: ["thread_update"] });
    const filer = service.letterslot.as(await service.letterslot.authenticate(api_key, null));
    const moving = { inbox_id, thread_ids: [thread_id], folder: "trash" as const };
    await expect(filer.threads.move(moving)).rejects.toMatchObject({ code: "permission_denied" });
    expect(await as.threads.move(moving)).toMatchObject({
      moved: 1,
      data: [{ id: thread_id, folder: "trash", deleted_by: { type: "key" } }],
    });
    expect(await as.threads.move({ ...moving, folder: "inbox" })).toMatchObject({
      moved: 0,
      not_found: [thread_id],
    });
    await as.threads.restore({ inbox_id, thread_id });
    const { data } = await as.events.list({ types: ["thread.folder_updated"] });
    expect(data.map((event) => event.data)).toEqual([
      { thread_id, folder: "trash", previous: "inbox" },
      { thread_id, folder: "inbox", previous: "trash" },
    ]);
  });

  test("of more messages than one step takes goes and comes back whole", async () => {
    const setting = await open();
    const { as, inbox_id } = setting;
    const ids = [await receive(setting, "n0")];
    for (let n = 1; n < 120; n++)
      ids.push(await receive(setting, `n${n}`, { references: ["<n0@example.com>"] }));
    const { thread_id } = await as.messages.get({ inbox_id, message_id: ids[0] ?? "" });
    expect((await as.threads.delete({ inbox_id, thread_id })).messages_deleted).toBe(120);
    expect((await as.threads.list({ inbox_id, folder: "trash" })).data).toMatchObject([
      { message_count: 120 },
    ]);
    await as.threads.restore({ inbox_id, thread_id });
    expect(await as.threads.get({ inbox_id, thread_id })).toMatchObject({
      message_count: 120,
      unread_count: 120,
    });
  });

  test("leaves for good with everything that the trash has of it", async () => {
    const { as, inbox_id, thread_id, ids, service, account } = await conversation();
    await as.messages.delete({ inbox_id, message_id: ids[1] ?? "" });
    await as.threads.delete({ inbox_id, thread_id });
    expect(await as.threads.delete({ inbox_id, thread_id, permanent: true })).toMatchObject({
      messages_deleted: 3,
      restorable_until: null,
    });
    const { storage } = service.letterslot.services;
    expect(await storage.count("trash", { inbox_id }, 10)).toBe(0);
    expect(await storage.count("blob_uses", {}, 10)).toBe(0);
    expect((await storage.get("accounts", account.account_id))?.storage_bytes).toBe(0);
    await expect(as.threads.delete({ inbox_id, thread_id, permanent: true })).rejects.toMatchObject({
      code: "thread_not_found",
    });
  });
});

describe("a deleted draft", () => {
  test("comes back unscheduled, and its approval stays cancelled", async () => {
    const { as, inbox_id, service } = await open();
    const send_at = new Date(service.clock.now().getTime() + DAY_MS).toISOString();
    const draft = await as.drafts.create({
      inbox_id,
      to: ["bob@example.com"],
      text: "Later.",
      send_at,
      attachments: [file],
    });
    expect(await as.drafts.delete({ inbox_id, draft_id: draft.id })).toMatchObject({
      deleted: true,
      restorable_until: expect.any(String),
    });
    await expect(as.drafts.get({ inbox_id, draft_id: draft.id })).rejects.toMatchObject({
      code: "draft_not_found",
    });
    expect((await as.drafts.list({ inbox_id })).data).toEqual([]);
    expect((await as.drafts.listAll({ folder: "trash" })).data).toMatchObject([
      { id: draft.id, send_at: null, deleted_by: { type: "key" } },
    ]);
    const back = await as.drafts.restore({ inbox_id, draft_id: draft.id });
    expect(back).toMatchObject({ id: draft.id, send_status: "draft", send_at: null, text: "Later." });
    await service.clock.advance(2 * DAY_MS);
    await service.work();
    expect(service.transport.sent).toEqual([]);
    const attachment_id = back.attachments[0]?.id ?? "";
    const { bytes } = await as.drafts.attachment({ inbox_id, draft_id: draft.id, attachment_id });
    expect(Buffer.from(bytes).toString()).toBe("inside");
  });

  test("leaves for good with permanent=true, with its bytes", async () => {
    const { as, inbox_id, service, account } = await open();
    const draft = await as.drafts.create({
      inbox_id,
      to: ["bob@example.com"],
      text: "No.",
      attachments: [file],
    });
    await as.drafts.delete({ inbox_id, draft_id: draft.id });
    expect(await as.drafts.delete({ inbox_id, draft_id: draft.id, permanent: true })).toMatchObject({
      restorable_until: null,
    });
    const { storage } = service.letterslot.services;
    expect((await storage.get("accounts", account.account_id))?.storage_bytes).toBe(0);
    expect(await storage.count("blob_uses", {}, 1)).toBe(0);
  });
});
