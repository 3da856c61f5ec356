import { expect, test } from "vitest";
import { createTestService } from "../../testing/index.ts";
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
