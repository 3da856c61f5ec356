import { expect, test } from "vitest";
import { createTestService, forgedFrom } from "../../../testing/index.ts";

test("an allowlisted sender's authenticated mail makes a task, others' does not", async () => {
  const service = createTestService();
  const { as, inbox } = await service.signUp();
  await as.allowlist.create({ inbox_id: inbox.id, address: "Example.com" });
  await as.allowlist.create({ inbox_id: inbox.id, address: "ada@example.org" });
  for (const from of [
    "x@example.com",
    "ada@example.org",
    "eve@example.org",
    "x@sub.example.com",
    "x@notexample.com",
  ]) {
    await service.receive({ from, to: inbox.email, subject: from });
  }
  await service.receive({ from: "forged@example.com", to: inbox.email }, forgedFrom("example.com"));
  const tasks = (await as.tasks.list({})).data;
  expect(tasks.map(({ sender }) => String(sender)).sort()).toEqual(["ada@example.org", "x@example.com"]);
});

test("an entry is stored once, normalized", async () => {
  const { signUp } = createTestService();
  const { as, inbox } = await signUp();
  const { idempotent, ...entry } = await as.allowlist.create({
    inbox_id: inbox.id,
    address: "Ada@Example.com",
  });
  expect(idempotent).toBe(false);
  expect(entry).toMatchObject({ object: "allowlist_entry", inbox_id: inbox.id, address: "ada@example.com" });
  expect(await as.allowlist.create({ inbox_id: inbox.id, address: "ada@example.com" })).toEqual({
    ...entry,
    idempotent: true,
  });
  expect((await as.allowlist.list({ inbox_id: inbox.id })).data).toEqual([entry]);
});

test.each([
  "",
  "com",
  "ada@",
  "@example.com",
  "*@example.com.",
  "a b.example.com",
  "ada@example.com eve@example.com",
])("%j is no entry", async (address) => {
  const { as, inbox } = await createTestService().signUp();
  await expect(as.allowlist.create({ inbox_id: inbox.id, address })).rejects.toMatchObject({
    code: "invalid_entry",
    param: "address",
  });
});

test("an entry is deleted by its id or by its address", async () => {
  const { signUp } = createTestService();
  const { as, inbox } = await signUp();
  const first = await as.allowlist.create({ inbox_id: inbox.id, address: "ada@example.com" });
  await as.allowlist.create({ inbox_id: inbox.id, address: "example.org" });
  expect(await as.allowlist.delete({ inbox_id: inbox.id, entry: first.id })).toEqual({
    id: first.id,
    object: "allowlist_entry",
    address: "ada@example.com",
    deleted: true,
  });
  expect((await as.allowlist.delete({ inbox_id: inbox.id, entry: "EXAMPLE.org" })).address).toBe(
    "example.org",
  );
  for (const entry of [first.id, "example.org", "not an entry"]) {
    await expect(as.allowlist.delete({ inbox_id: inbox.id, entry })).rejects.toMatchObject({
      code: "allowlist_entry_not_found",
    });
  }
});

test("one inbox's entries are not another's", async () => {
  const { signUp } = createTestService();
  const { as, inbox } = await signUp();
  const other = await as.inboxes.create({});
  const entry = await as.allowlist.create({ inbox_id: inbox.id, address: "example.com" });
  await expect(as.allowlist.delete({ inbox_id: other.id, entry: entry.id })).rejects.toMatchObject({
    code: "allowlist_entry_not_found",
  });
  expect((await as.allowlist.list({ inbox_id: other.id })).data).toEqual([]);
});

test("the list holds a thousand entries, and is paged", async () => {
  const service = createTestService();
  const { as, inbox, account_id } = await service.signUp();
  const { storage, makeId } = service.letterslot.services;
  await storage.transaction(async (tx) => {
    const entries = Array.from({ length: 999 }, (_, index) => ({
      id: makeId("ent"),
      account_id,
      inbox_id: inbox.id,
      address: `d${index}.example.com`,
      names: "outside",
      made_by: "key" as const,
      created_at: "2026-01-01T00:00:00.000Z",
    }));
    tx.append("allowlist", entries);
  });
  await as.allowlist.create({ inbox_id: inbox.id, address: "last.example.com" });
  await expect(
    as.allowlist.create({ inbox_id: inbox.id, address: "more.example.com" }),
  ).rejects.toMatchObject({
    code: "list_full",
  });
  await expect(
    as.allowlist.create({ inbox_id: inbox.id, address: "last.example.com" }),
  ).resolves.toBeDefined();
  const page = await as.allowlist.list({ inbox_id: inbox.id, limit: 200 });
  expect(page.data[0]?.address).toBe("last.example.com");
  const next = await as.allowlist.list({ inbox_id: inbox.id, limit: 200, cursor: page.next_cursor ?? "" });
  expect(next.data[0]?.address).toBe("d799.example.com");
});

test("writing requires owner_manage and reading owner_read", async () => {
  const { signUp, letterslot } = createTestService();
  const { caller, inbox } = await signUp();
  const reader = letterslot.as({ ...caller, permissions: ["owner_read"] });
  await expect(reader.allowlist.list({ inbox_id: inbox.id })).resolves.toBeDefined();
  await expect(reader.allowlist.create({ inbox_id: inbox.id, address: "example.com" })).rejects.toMatchObject(
    {
      code: "permission_denied",
    },
  );
});
