import { describe, expect, test } from "vitest";
import { createTestService, forgedFrom } from "../../../testing/index.ts";
import { suppressBecauseOf } from "./suppress.ts";

const setting = async () => {
  const service = createTestService();
  const { as, inbox } = await service.signUp();
  return { service, as, inbox_id: inbox.id };
};

test("no inbox of the account sends to a suppressed address until the suppression is deleted", async () => {
  const { service, as, inbox_id } = await setting();
  const made = await as.suppressions.create({ address: "Ada@Example.com" });
  expect(made).toMatchObject({
    object: "suppression",
    address: "ada@example.com",
    reason: "manual",
    source_message_id: null,
  });
  expect(await as.suppressions.create({ address: "ada@example.com" })).toEqual({ ...made, idempotent: true });
  const other = await as.inboxes.create({});
  for (const from of [inbox_id, other.id])
    await expect(
      as.messages.send({ inbox_id: from, to: ["bo@example.com"], bcc: ["ada@example.com"], text: "Hello" }),
    ).rejects.toMatchObject({ code: "recipient_suppressed", param: "to" });
  const stranger = await service.signUp("stranger");
  await stranger.as.messages.send({ inbox_id: stranger.inbox.id, to: ["ada@example.com"], text: "Hello" });
  expect(await as.suppressions.delete({ address: "ADA@example.com" })).toEqual({
    id: made.id,
    object: "suppression",
    address: "ada@example.com",
    deleted: true,
  });
  await expect(as.messages.send({ inbox_id, to: ["ada@example.com"], text: "Hello" })).resolves.toBeDefined();
  for (const address of ["ada@example.com", made.id])
    await expect(as.suppressions.delete({ address })).rejects.toMatchObject({
      code: "suppression_not_found",
    });
});

test("suppressions are listed newest first, paged, and can be deleted by id", async () => {
  const { as } = await setting();
  for (const name of ["a", "b", "c"]) await as.suppressions.create({ address: `${name}@example.com` });
  const page = await as.suppressions.list({ limit: 2 });
  expect(page.data.map(({ address }) => address)).toEqual(["c@example.com", "b@example.com"]);
  const rest = await as.suppressions.list({ limit: 2, cursor: page.next_cursor ?? "" });
  expect(rest.data.map(({ address }) => address)).toEqual(["a@example.com"]);
  expect((await as.suppressions.delete({ address: rest.data[0]?.id ?? "" })).address).toBe("a@example.com");
});

test("only an address can be suppressed", async () => {
  const { as } = await setting();
  await expect(as.suppressions.create({ address: "example.com" })).rejects.toMatchObject({
    code: "invalid_address",
  });
});

test("a recipient refused in the SMTP dialogue fails and is not suppressed", async () => {
  const { service, as, inbox_id } = await setting();
  service.transport.refuse(
    "gone@example.com",
    "permanent_failure",
    "550 5.1.1 <gone@example.com>: user unknown",
  );
  await as.messages.send({ inbox_id, to: ["gone@example.com"], text: "Hello" });
  await service.work();
  expect((await as.suppressions.list({})).data).toEqual([]);
  await expect(
    as.messages.send({ inbox_id, to: ["gone@example.com"], text: "Hello" }),
  ).resolves.toBeDefined();
});

test("a key limited to one inbox sees the suppressions caused by its mail", async () => {
  const { service, as, inbox_id } = await setting();
  const other = await as.inboxes.create({});
  const { storage, makeId, clock } = service.letterslot.services;
  for (const [from, address] of [
    [inbox_id, "one@example.com"],
    [other.id, "two@example.com"],
  ] as const) {
    const { id } = await as.messages.send({ inbox_id: from, to: [address], text: "Hello" });
    const message = await storage.get("messages", id);
    if (message !== undefined)
      await suppressBecauseOf(storage, makeId, message, { address, reason: "bounce" }, clock.now());
  }
  await as.suppressions.create({ address: "three@example.com" });
  const { api_key } = await as.keys.createForInbox({ inbox_id, name: "scoped" });
  const scoped = service.letterslot.as(await service.letterslot.authenticate(api_key, null));
  expect((await scoped.suppressions.list({})).data.map(({ address }) => address)).toEqual([
    "one@example.com",
  ]);
  await expect(scoped.suppressions.create({ address: "ada@example.com" })).rejects.toMatchObject({
    code: "permission_denied",
  });
  expect((await as.suppressions.list({})).data).toHaveLength(3);
});

describe("who lifts a suppression", () => {
  const ada = "ada@example.com";
  const day = 24 * 3600_000;

  /** A suppression that a report about a message made. */
  async function suppressed(reason: "bounce" | "complaint") {
    const service = createTestService();
    const account = await service.signUp();
    const { as, inbox, account_id } = account;
    const { storage, makeId, clock } = service.letterslot.services;
    const { id } = await as.messages.send({ inbox_id: inbox.id, to: [ada], text: "Hello" });
    await service.work();
    const again = async () => {
      const message = await storage.get("messages", id);
      if (message !== undefined)
        await suppressBecauseOf(storage, makeId, message, { address: ada, reason }, clock.now());
    };
    await again();
    const send = () => as.messages.send({ inbox_id: inbox.id, to: [ada], text: "Hello again" });
    return { service, account, as, inbox, account_id, again, send };
  }

  test("of a bounce is a key, once in 30 days for an address", async () => {
    const { service, as, again } = await suppressed("bounce");
    expect((await as.suppressions.list({})).data).toMatchObject([{ made_by: "bounce" }]);
    await as.suppressions.delete({ address: ada });
    await again();
    await expect(as.suppressions.delete({ address: ada })).rejects.toMatchObject({
      code: "suppression_locked",
    });
    expect((await as.suppressions.list({})).data).toHaveLength(1);
    await service.clock.advance(30 * day - 1000);
    await expect(as.suppressions.delete({ address: ada })).rejects.toMatchObject({
      code: "suppression_locked",
    });
    await service.clock.advance(2000);
    await as.suppressions.delete({ address: ada });
  });

  test("of a complaint is no key, but somebody in charge and the operator", async () => {
    const { service, account, as, account_id, again } = await suppressed("complaint");
    await expect(as.suppressions.delete({ address: ada })).rejects.toMatchObject({
      code: "suppression_locked",
      fix: expect.stringContaining("in charge"),
    });
    await service.addOwner(account, "olga@owner.example");
    const { operator } = service.letterslot;
    await operator.accounts.authority.give({ account_id, email: "olga@owner.example" });
    const person = service.letterslot.asOwner({ email: "olga@owner.example", account_id });
    await person.suppressions.delete({ address: ada });
    await again();
    expect(await operator.accounts.suppressions.list(account_id)).toMatchObject([
      { address: ada, made_by: "complaint" },
    ]);
    await operator.accounts.suppressions.lift(account_id, ada);
    expect((await as.suppressions.list({})).data).toEqual([]);
    await expect(operator.accounts.suppressions.lift(account_id, ada)).rejects.toMatchObject({
      code: "suppression_not_found",
    });
    await expect(operator.accounts.suppressions.list("acct_none")).rejects.toMatchObject({
      code: "account_not_found",
    });
  });

  test("isn't an agent that suppressed the address first", async () => {
    const { as, again } = await suppressed("complaint");
    const service = createTestService();
    const other = await service.signUp();
    await other.as.suppressions.create({ address: ada });
    const { storage, makeId, clock } = service.letterslot.services;
    const { id } = await other.as.messages.send({
      inbox_id: other.inbox.id,
      to: ["bo@example.com"],
      text: "Hello",
    });
    const message = await storage.get("messages", id);
    if (message === undefined) throw new Error("no message");
    await suppressBecauseOf(storage, makeId, message, { address: ada, reason: "complaint" }, clock.now());
    await expect(other.as.suppressions.delete({ address: ada })).rejects.toMatchObject({
      code: "suppression_locked",
    });
    await again();
    expect((await as.suppressions.list({})).data).toHaveLength(1);
  });

  test("of a complaint is the person, who writes to the inbox", async () => {
    const { service, as, inbox, send } = await suppressed("complaint");
    const write = (change: object = {}, facts?: Parameters<typeof service.receive>[1]) =>
      service.receive({ from: ada, to: inbox.email, text: "Do write to me again", ...change }, facts);
    await service.clock.advance(1000);
    await write({}, forgedFrom("example.com"));
    await write({ subject: "Automatic reply", headers: ["Auto-Submitted: auto-replied"] });
    await as.messages.inject({ inbox_id: inbox.id, from: ada, text: "Do write to me again" });
    await expect(send()).rejects.toMatchObject({ code: "recipient_suppressed" });
    await service.clock.advance(1000);
    await write();
    await expect(send()).resolves.toBeDefined();
    expect((await as.suppressions.list({})).data).toEqual([]);
  });

  test("of a bounce isn't who writes from that address", async () => {
    const { service, inbox, send } = await suppressed("bounce");
    await service.clock.advance(1000);
    await service.receive({ from: ada, to: inbox.email, text: "I am here" });
    await expect(send()).rejects.toMatchObject({ code: "recipient_suppressed" });
  });
});
