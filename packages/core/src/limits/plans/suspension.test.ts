import { describe, expect, test } from "vitest";
import { createTestService } from "../../../testing/index.ts";

const opened = async () => {
  const service = createTestService();
  const account = await service.signUp();
  const { suspend, resume } = service.letterslot.operator.accounts;
  return {
    ...{ service, ...account },
    suspend: () => suspend(account.account_id),
    resume: () => resume(account.account_id),
    send: (to = "ada@example.com") =>
      account.as.messages.send({ inbox_id: account.inbox.id, to: [to], text: "Hello" }),
  };
};

describe("a suspended account", () => {
  test("may call `me`, which says so, and nothing else", async () => {
    const { as, inbox, send, suspend, resume } = await opened();
    await suspend();
    const refused = { code: "account_suspended", kind: "forbidden" };
    await expect(send()).rejects.toMatchObject(refused);
    await expect(as.inboxes.get({ inbox_id: inbox.id })).rejects.toMatchObject(refused);
    await expect(as.inboxes.get({ inbox_id: "inb_unknown" })).rejects.toMatchObject(refused);
    await expect(as.keys.create({ name: "more" })).rejects.toMatchObject(refused);
    await expect(as.me.update({ lifecycle_emails: "off" })).rejects.toMatchObject(refused);
    expect((await as.me.get({})).restrictions).toEqual(["account_suspended"]);
    await resume();
    await send();
    expect((await as.me.get({})).restrictions).toEqual([]);
  });

  test("keeps its people's own acts, but their calls in place of the agent are refused", async () => {
    const { service, as, inbox, account_id, suspend } = await opened();
    const email = "olga@owner.example";
    await service.letterslot.operator.accounts.authority.give({ account_id, email });
    await as.inboxes.update({ inbox_id: inbox.id, send_mode: "approval" });
    await as.messages.send({ inbox_id: inbox.id, to: ["ada@example.com"], text: "Hello" });
    const owner = service.letterslot.asOwner({ email, account_id });
    await suspend();
    await service.work();
    expect(service.transport.sent.flatMap(({ envelope }) => envelope.rcpt_to)).toContain(email);
    await expect(owner.inboxes.list({})).rejects.toMatchObject({ code: "account_suspended" });
    await owner.authority.list({});
  });

  test("others are not concerned", async () => {
    const { service, suspend } = await opened();
    const other = await service.signUp("other");
    await suspend();
    await other.as.messages.send({ inbox_id: other.inbox.id, to: ["ada@example.com"], text: "Hello" });
    await service.work();
    expect(service.transport.sent).toHaveLength(1);
  });

  test("has its queued and scheduled mail wait, which leaves once it is resumed", async () => {
    const { service, as, inbox, send, suspend, resume } = await opened();
    const { transport, clock, work } = service;
    await send();
    const send_at = new Date(clock.now().getTime() + 60_000).toISOString();
    await as.messages.send({ inbox_id: inbox.id, to: ["bo@example.com"], text: "Later", send_at });
    await suspend();
    await work();
    await clock.advance(24 * 3600_000);
    await work();
    expect(transport.sent).toEqual([]);
    expect(await service.letterslot.services.storage.count("drafts", { inbox_id: inbox.id }, 9)).toBe(1);
    await resume();
    await clock.advance(10 * 60_000);
    await work();
    expect(transport.sent.flatMap(({ envelope }) => envelope.rcpt_to).sort()).toEqual([
      "ada@example.com",
      "bo@example.com",
    ]);
  });

  test("sends letters to people that ask them to confirm", async () => {
    const { service, as, inbox, suspend } = await opened();
    await as.owners.create({ inbox_id: inbox.id, email: "olga@owner.example" });
    await suspend();
    await service.work();
    expect(service.codeFor("olga@owner.example")).toMatch(/^\d{6}$/);
  });

  test("has mail to it deferred and loses none", async () => {
    const { service, as, inbox, suspend, resume } = await opened();
    const mail = { from: "bo@example.com", to: inbox.email, text: "Hello", message_id: "<1@example.com>" };
    await suspend();
    expect((await service.receive(mail)).results).toMatchObject([
      { outcome: "deferred", reason: "account_suspended", message_id: null },
    ]);
    await resume();
    expect((await as.messages.list({ inbox_id: inbox.id })).data).toEqual([]);
    expect((await service.receive(mail)).results).toMatchObject([{ outcome: "stored" }]);
  });

  test("gets mail of other inboxes here once it is resumed", async () => {
    const { service, as, inbox, suspend, resume } = await opened();
    const other = await service.signUp("other");
    await suspend();
    await other.as.messages.send({ inbox_id: other.inbox.id, to: [inbox.email], text: "Hello" });
    await service.work();
    await resume();
    expect((await as.messages.list({ inbox_id: inbox.id })).data).toEqual([]);
    await service.clock.advance(3600_000);
    await service.work();
    expect((await as.messages.list({ inbox_id: inbox.id })).data).toHaveLength(1);
  });
});

describe("the operator", () => {
  test("lists accounts page by page and shows one with what it uses", async () => {
    const { service, account_id } = await opened();
    const other = await service.signUp("other");
    const { accounts } = service.letterslot.operator;
    const all = await accounts.list();
    expect(all.map((each) => each.account_id)).toEqual([account_id, other.account_id].sort());
    expect(await accounts.list({ after: all[0]?.account_id })).toEqual([all[1]]);
    expect(await accounts.show(account_id)).toMatchObject({
      account_id,
      plan: null,
      suspended_at: null,
      usage: { inboxes: { used: 1, limit: null } },
    });
  });

  test("suspending again keeps the time, and what doesn't exist is said", async () => {
    const { service, suspend } = await opened();
    const first = await suspend();
    await service.clock.advance(1000);
    expect((await suspend()).suspended_at).toBe(first.suspended_at);
    const { accounts } = service.letterslot.operator;
    for (const act of [accounts.show, accounts.suspend, accounts.resume])
      await expect(act("acct_unknown")).rejects.toMatchObject({ code: "account_not_found" });
    await expect(accounts.setPlan(first.account_id, "gold")).rejects.toMatchObject({
      code: "invalid_request",
      message: "The service has no plans: PLANS names no file.",
    });
  });
});
