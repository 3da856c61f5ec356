import { describe, expect, test } from "vitest";
import { createTestService, type TestAccount, type TestService } from "../../../testing/index.ts";

const setting = async () => {
  const service = createTestService();
  const account = await service.signUp();
  return {
    service,
    account,
    as: account.as,
    inbox_id: account.inbox.id,
    storage: service.letterslot.services.storage,
  };
};

const eventsOf = async (service: TestService, account: TestAccount, type: string) =>
  (
    await service.letterslot.services.storage.find("events", {
      where: { account_id: account.account_id },
      order: { by: "sequence", direction: "asc" },
      limit: 200,
    })
  ).filter((event) => event.type === type);

describe("entries", () => {
  test("an entry is stored once, normalized, on its list only", async () => {
    const { as, inbox_id } = await setting();
    const list = { direction: "send", type: "block" } as const;
    const { idempotent: _first, ...entry } = await as.lists.create({
      ...list,
      entry: "Ada@Example.com",
      reason: "asked not to be written to",
    });
    expect(entry).toMatchObject({
      object: "list_entry",
      ...list,
      entry: "ada@example.com",
      entry_type: "email",
      inbox_id: null,
      reason: "asked not to be written to",
    });
    expect(await as.lists.create({ ...list, entry: "ada@example.com" })).toEqual({
      ...entry,
      idempotent: true,
    });
    const { idempotent: _own, ...own } = await as.lists.createForInbox({
      inbox_id,
      ...list,
      entry: "example.org",
    });
    expect(own).toMatchObject({ inbox_id, entry_type: "domain", reason: null });
    expect((await as.lists.list(list)).data).toEqual([entry]);
    expect((await as.lists.listForInbox({ inbox_id, ...list })).data).toEqual([own]);
    expect((await as.lists.list({ ...list, type: "allow" })).data).toEqual([]);
  });

  test("an entry is read and deleted by its id, address or domain", async () => {
    const { as, inbox_id } = await setting();
    const list = { direction: "receive", type: "allow" } as const;
    const first = await as.lists.create({ ...list, entry: "example.com" });
    const second = await as.lists.createForInbox({ inbox_id, ...list, entry: "ada@example.org" });
    const shown = ({ idempotent: _how, ...entry }: typeof first) => entry;
    expect(await as.lists.get({ ...list, entry: "EXAMPLE.com" })).toEqual(shown(first));
    expect(await as.lists.getForInbox({ inbox_id, ...list, entry: second.id })).toEqual(shown(second));
    expect(await as.lists.delete({ ...list, entry: first.id })).toEqual({
      id: first.id,
      object: "list_entry",
      entry: "example.com",
      deleted: true,
    });
    expect((await as.lists.deleteForInbox({ inbox_id, ...list, entry: "ada@example.org" })).id).toBe(
      second.id,
    );
    for (const entry of [first.id, "example.com", "no entry"])
      await expect(as.lists.get({ ...list, entry })).rejects.toMatchObject({ code: "list_entry_not_found" });
    await expect(as.lists.deleteForInbox({ inbox_id, ...list, entry: first.id })).rejects.toMatchObject({
      code: "list_entry_not_found",
    });
  });

  test.each(["", "com", "*@example.com", "ada@", "ada@example.com, eve@example.com"])(
    "%j is no entry",
    async (entry) => {
      const { as } = await setting();
      await expect(as.lists.create({ direction: "send", type: "block", entry })).rejects.toMatchObject({
        code: "invalid_entry",
        param: "entry",
      });
    },
  );

  test("an entry may be a phone number", async () => {
    const { as, inbox_id } = await setting();
    const list = { direction: "receive", type: "block" } as const;
    const number = { entry: "+14155550123", entry_type: "phone" };
    expect(await as.lists.create({ ...list, entry: " +14155550123 " })).toMatchObject(number);
    expect(await as.lists.createForInbox({ inbox_id, ...list, entry: "+14155550123" })).toMatchObject(number);
    expect(await as.lists.get({ ...list, entry: "+14155550123" })).toMatchObject(number);
    for (const entry of ["4155550123", "+1 415 555 0123", "+1415"])
      await expect(as.lists.create({ ...list, entry })).rejects.toMatchObject({
        code: "invalid_entry",
        param: "entry",
      });
    expect(await as.lists.delete({ ...list, entry: "+14155550123" })).toMatchObject({ deleted: true });
  });

  test("a list holds a thousand entries, and is paged", async () => {
    const { service, account, as, storage } = await setting();
    const list = { direction: "send", type: "block" } as const;
    const { account_id } = account;
    await storage.transaction(async (tx) =>
      tx.append(
        "list_entries",
        Array.from({ length: 999 }, (_, index) => ({
          ...list,
          id: service.letterslot.services.makeId("ent"),
          account_id,
          inbox_id: null,
          list: `${account_id}:send:block`,
          entry: `d${index}.example.com`,
          entry_type: "domain" as const,
          reason: null,
          names: "outside",
          made_by: "key" as const,
          created_at: "2026-01-01T00:00:00.000Z",
        })),
      ),
    );
    await as.lists.create({ ...list, entry: "last.example.com" });
    await expect(as.lists.create({ ...list, entry: "more.example.com" })).rejects.toMatchObject({
      code: "list_full",
    });
    await expect(as.lists.create({ ...list, entry: "last.example.com" })).resolves.toBeDefined();
    await expect(
      as.lists.create({ ...list, type: "allow", entry: "more.example.com" }),
    ).resolves.toBeDefined();
    const page = await as.lists.list({ ...list, limit: 200 });
    expect(page.data[0]?.entry).toBe("last.example.com");
    const cursor = page.next_cursor ?? "";
    expect((await as.lists.list({ ...list, limit: 200, cursor })).data[0]?.entry).toBe("d799.example.com");
    await expect(as.lists.list({ direction: "reply", type: "block", cursor })).rejects.toMatchObject({
      code: "invalid_cursor",
    });
  });

  test("a key limited to one inbox reads that inbox's lists and can't write the account's", async () => {
    const { service, as, inbox_id } = await setting();
    const list = { direction: "send", type: "block" } as const;
    await as.lists.create({ ...list, entry: "example.com" });
    const { idempotent: _first, ...own } = await as.lists.createForInbox({
      inbox_id,
      ...list,
      entry: "example.org",
    });
    const { api_key } = await as.keys.createForInbox({ inbox_id, name: "scoped" });
    const scoped = service.letterslot.as(await service.letterslot.authenticate(api_key, null));
    expect((await scoped.lists.list(list)).data).toEqual([own]);
    await expect(scoped.lists.get({ ...list, entry: "example.com" })).rejects.toMatchObject({
      code: "list_entry_not_found",
    });
    await expect(scoped.lists.create({ ...list, entry: "example.net" })).rejects.toMatchObject({
      code: "permission_denied",
    });
    await expect(
      scoped.lists.createForInbox({ inbox_id, ...list, entry: "example.net" }),
    ).resolves.toMatchObject({ inbox_id });
  });

  test("the entries of an inbox are deleted with it", async () => {
    const { as, inbox_id, storage } = await setting();
    await as.lists.createForInbox({ inbox_id, direction: "send", type: "block", entry: "example.org" });
    await as.inboxes.delete({ inbox_id, permanent: true });
    expect(await storage.count("list_entries", {}, 10)).toBe(0);
  });
});

describe("sending", () => {
  test("a blocked recipient stops the whole mail, in any field", async () => {
    const { service, as, inbox_id } = await setting();
    await as.lists.create({ direction: "send", type: "block", entry: "blocked.example" });
    const mail = { inbox_id, text: "Hello", to: ["ada@example.com"] };
    for (const named of [
      { to: ["eve@blocked.example", "ada@example.com"] },
      { cc: ["eve@blocked.example"] },
      { bcc: ["Eve@Blocked.example"] },
    ])
      await expect(as.messages.send({ ...mail, ...named })).rejects.toMatchObject({
        code: "recipient_blocked",
        param: "to",
      });
    await as.messages.send({ ...mail, to: ["eve@notblocked.example", "eve@blocked.example.test"] });
    await service.work();
    expect(service.transport.sent).toHaveLength(1);
  });

  test("an allow list excludes all others, and an inbox's replaces the account's", async () => {
    const { as, inbox_id } = await setting();
    await as.lists.create({ direction: "send", type: "allow", entry: "partner.example" });
    const send = (to: string) => as.messages.send({ inbox_id, text: "Hello", to: [to] });
    await expect(send("ada@partner.example")).resolves.toBeDefined();
    await expect(send("ada@example.com")).rejects.toMatchObject({ code: "recipient_blocked" });
    await as.lists.createForInbox({ inbox_id, direction: "send", type: "allow", entry: "ada@example.com" });
    await expect(send("ada@example.com")).resolves.toBeDefined();
    await expect(send("ada@partner.example")).rejects.toMatchObject({ code: "recipient_blocked" });
    await as.lists.create({ direction: "send", type: "block", entry: "ada@example.com" });
    await expect(send("ada@example.com")).rejects.toMatchObject({ code: "recipient_blocked" });
  });

  test("a reply to all with a blocked recipient sends nothing", async () => {
    const { service, account, as, inbox_id } = await setting();
    await service.receive({ from: "ada@example.com", to: `${account.inbox.email}, eve@blocked.example` });
    const message_id = (await as.messages.list({ inbox_id })).data[0]?.id ?? "";
    await as.lists.createForInbox({
      inbox_id,
      direction: "send",
      type: "block",
      entry: "eve@blocked.example",
    });
    await expect(as.messages.replyAll({ inbox_id, message_id, text: "Hello" })).rejects.toMatchObject({
      code: "recipient_blocked",
    });
    await expect(as.messages.reply({ inbox_id, message_id, text: "Hello" })).resolves.toBeDefined();
    await service.work();
    expect(service.transport.sent).toHaveLength(1);
  });

  test("letters and updates to owners bypass the lists", async () => {
    const { service, account, as, inbox_id } = await setting();
    await as.lists.create({ direction: "send", type: "allow", entry: "partner.example" });
    await service.addOwner(account, "olga@owner.example");
    const { deliveries } = await as.updates.create({ inbox_id, kind: "progress", text: "Halfway there." });
    expect(deliveries).toMatchObject([{ status: "sent" }]);
    await service.work();
    expect(service.transport.sent.map(({ envelope }) => envelope.rcpt_to)).toEqual([
      ["olga@owner.example"],
      ["olga@owner.example"],
    ]);
  });
});

describe("receiving", () => {
  test("mail from a blocked sender is dropped with an event, and not stored", async () => {
    const { service, account, as, inbox_id, storage } = await setting();
    await as.lists.create({ direction: "receive", type: "block", entry: "spam.example" });
    const report = await service.receive({
      from: "Eve <eve@spam.example>",
      to: account.inbox.email,
      subject: "Buy now",
    });
    expect(report.results).toMatchObject([
      { outcome: "dropped", reason: "sender_blocked", message_id: null },
    ]);
    expect((await as.messages.list({ inbox_id })).data).toEqual([]);
    expect(await eventsOf(service, account, "message.received")).toEqual([]);
    expect((await eventsOf(service, account, "message.blocked")).map(({ data }) => data)).toEqual([
      { inbox_id, from: "eve@spam.example", subject: "Buy now", direction: "receive", reason: "block_list" },
    ]);
    await service.clock.advance(2 * 3600_000);
    await service.work();
    expect(await storage.count("jobs", {}, 10)).toBe(0);
  });

  test("the injector gets an error, and nothing is stored or published", async () => {
    const { service, account, as, inbox_id } = await setting();
    await as.lists.createForInbox({
      inbox_id,
      direction: "receive",
      type: "block",
      entry: "eve@spam.example",
    });
    await expect(
      as.messages.inject({ inbox_id, from: "eve@spam.example", text: "Buy now" }),
    ).rejects.toMatchObject({
      code: "sender_blocked",
    });
    expect((await as.messages.list({ inbox_id })).data).toEqual([]);
    expect(await eventsOf(service, account, "message.blocked")).toEqual([]);
  });

  test("an allow list excludes everybody else, also look-alike domains", async () => {
    const { service, account, as } = await setting();
    await as.lists.create({ direction: "receive", type: "allow", entry: "partner.example" });
    const outcome = async (from: string) =>
      (await service.receive({ from, to: account.inbox.email })).results[0]?.outcome;
    expect(await outcome("ada@partner.example")).toBe("stored");
    for (const from of [
      "ada@example.com",
      "ada@partner.example.evil.test",
      "ada@notpartner.example",
      "partner.example@evil.test",
    ])
      expect(await outcome(from)).toBe("dropped");
    expect((await eventsOf(service, account, "message.blocked"))[0]?.data).toMatchObject({
      reason: "allow_list",
    });
  });

  test("one blocked author among several is enough", async () => {
    const { service, account, as } = await setting();
    await as.lists.create({ direction: "receive", type: "block", entry: "spam.example" });
    const { results } = await service.receive({
      from: "ada@example.com, eve@spam.example",
      to: account.inbox.email,
    });
    expect(results[0]?.reason).toBe("sender_blocked");
  });

  test("replies to the inbox's own mail are checked against the reply lists instead", async () => {
    const { service, account, as, inbox_id } = await setting();
    const sent = await as.messages.send({
      inbox_id,
      to: ["bo@example.com", "eve@example.org"],
      text: "Hello",
    });
    const { message_id } = await as.messages.get({ inbox_id, message_id: sent.id });
    await as.lists.create({ direction: "receive", type: "allow", entry: "partner.example" });
    await as.lists.create({ direction: "reply", type: "block", entry: "eve@example.org" });
    const to = account.inbox.email;
    const outcome = async (mail: Parameters<typeof service.receive>[0]) =>
      (await service.receive(mail)).results[0]?.outcome;
    expect(await outcome({ from: "bo@example.com", to, in_reply_to: message_id ?? "" })).toBe("stored");
    expect(
      await outcome({ from: "bo@example.com", to, references: ["<other@example.com>", message_id ?? ""] }),
    ).toBe("stored");
    expect(await outcome({ from: "bo@example.com", to, in_reply_to: "<made-up@example.com>" })).toBe(
      "dropped",
    );
    expect(await outcome({ from: "eve@example.org", to, in_reply_to: message_id ?? "" })).toBe("dropped");
    expect(
      (await eventsOf(service, account, "message.blocked")).map(({ data }) => data["direction"]),
    ).toEqual(["receive", "reply"]);
  });
});
