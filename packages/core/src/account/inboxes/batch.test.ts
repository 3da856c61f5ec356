import { describe, expect, test } from "vitest";
import { createTestService } from "../../../testing/index.ts";
import { objectionTo } from "./rules.ts";

async function open() {
  const service = createTestService();
  const account = await service.signUp();
  const { storage } = service.letterslot.services;
  return { service, account, as: account.as, count: () => storage.count("inboxes", {}, 1000), storage };
}

describe("creating many inboxes", () => {
  test("gives each a unique name with the prefix", async () => {
    const { service, as } = await open();
    const made = await as.inboxes.createBatch({
      count: 100,
      prefix: "Crew",
      labels: ["night"],
      metadata: { shift: 3 },
      ttl_hours: 2,
    });
    expect(made).toMatchObject({ object: "list", count: 100, has_more: false, next_cursor: null });
    expect(new Set(made.data.map(({ email }) => email)).size).toBe(100);
    const expires_at = new Date(service.clock.now().getTime() + 2 * 3600_000).toISOString();
    for (const inbox of made.data) {
      expect(inbox).toMatchObject({
        object: "inbox",
        labels: ["night"],
        metadata: { shift: 3 },
        expires_at,
        status: "active",
      });
      expect(inbox.username).toMatch(/^crew-[a-z0-9]{6}$/);
    }
    await service.receive({ from: "ada@example.com", to: made.data[99]?.email ?? "" });
    expect((await as.messages.list({ inbox_id: made.data[99]?.id ?? "" })).data).toHaveLength(1);
  });

  test("gives readable random names without a prefix", async () => {
    const { as } = await open();
    const { data } = await as.inboxes.createBatch({ count: 3 });
    for (const { username } of data)
      expect([objectionTo(username), username]).toEqual([null, expect.stringMatching(/^\w+-\w+-\d{4}$/)]);
  });

  test.each([
    [{ count: 0 }, { code: "invalid_request", param: "count" }],
    [{ count: 101 }, { code: "invalid_request", param: "count" }],
    [{}, { code: "invalid_request", param: "count" }],
    [
      { count: 2, prefix: "-x" },
      { code: "invalid_username", param: "prefix" },
    ],
    [
      { count: 2, prefix: "a".repeat(60) },
      { code: "invalid_username", param: "prefix" },
    ],
    [
      { count: 2, prefix: "inb_x" },
      { code: "username_reserved", param: "prefix" },
    ],
    [
      { count: 2, prefix: "bounce" },
      { code: "username_reserved", param: "prefix" },
    ],
    [{ count: 2, labels: ["UP"] }, { code: "invalid_label" }],
    [{ count: 2, metadata: { a: null } }, { code: "invalid_metadata" }],
    [{ count: 2, metadata: { a: "x".repeat(20_000) } }, { code: "invalid_metadata" }],
    [
      { count: 2, ttl_hours: 1, expires_at: "2030-01-01T00:00:00Z" },
      { code: "invalid_request", param: "expires_at" },
    ],
    [{ count: 2, expires_at: "2020-01-01T00:00:00Z" }, { code: "invalid_expiry" }],
    [
      { count: 2, username: "x" },
      { code: "unknown_parameter", param: "username" },
    ],
  ])("input %# makes none and says why", async (input, failure) => {
    const { service, account, count } = await open();
    await expect(service.letterslot.call(account.caller, "inboxes.createBatch", input)).rejects.toMatchObject(
      failure,
    );
    expect(await count()).toBe(1);
  });

  test("creates none if one fails", async () => {
    const { service, account, as, count, storage } = await open();
    const { services } = service.letterslot;
    let made = 0;
    const failing = {
      ...services,
      makeId: (prefix: Parameters<typeof services.makeId>[0]) => {
        if (prefix === "inb" && ++made > 5) throw new Error("no more ids");
        return services.makeId(prefix);
      },
    };
    const { callOperation } = await import("../../kernel/gate.ts");
    const { inboxes } = await import("./operations.ts");
    const call = callOperation(failing, account.caller, "inboxes.createBatch", inboxes.createBatch, {
      count: 9,
    });
    await expect(call).rejects.toThrow("no more ids");
    expect(await count()).toBe(1);
    expect(await storage.count("addresses", {}, 100)).toBe(1);
    await as.inboxes.createBatch({ count: 9 });
    expect(await count()).toBe(10);
  });
});

describe("checking a username", () => {
  test("shows whether it is free, and alternatives if not", async () => {
    const { service, as } = await open();
    await service.signUp("stranger");
    expect(await as.usernames.check({ username: "Free.One" })).toEqual({
      object: "username_check",
      username: "free.one",
      available: true,
      reason: null,
      suggestions: [],
    });
    const taken = await as.usernames.check({ username: "stranger" });
    expect(taken).toMatchObject({
      available: false,
      reason: "taken",
      suggestions: ["stranger-agent", "stranger-mail", "stranger-inbox"],
    });
    for (const username of taken.suggestions) await as.inboxes.create({ username });
    expect((await as.usernames.check({ username: "stranger" })).suggestions).not.toContain("stranger-agent");
    expect(await as.usernames.check({ username: "admin" })).toMatchObject({
      available: false,
      reason: "reserved",
    });
    expect(await as.usernames.check({ username: "batch" })).toMatchObject({ reason: "reserved" });
    expect(await as.usernames.check({ username: "a b" })).toMatchObject({
      reason: "invalid",
      suggestions: ["a-b", "a-b-agent", "a-b-mail"],
    });
    const bounce = await as.usernames.check({ username: "bounce" });
    expect(bounce.suggestions).toHaveLength(3);
    for (const name of bounce.suggestions) expect(objectionTo(name)).toBeNull();
  });

  test("lets only its own account reuse the name of a deleted inbox", async () => {
    const { service, as } = await open();
    const { id } = await as.inboxes.create({ username: "mine" });
    await as.inboxes.delete({ inbox_id: id, permanent: true });
    const stranger = await service.signUp("stranger");
    expect(await as.usernames.check({ username: "mine" })).toMatchObject({ available: true });
    expect(await stranger.as.usernames.check({ username: "mine" })).toMatchObject({
      available: false,
      reason: "taken",
    });
  });

  test("works with every live key", async () => {
    const { service, account, as } = await open();
    const bare = await as.keys.create({
      name: "bare",
      permissions: ["metrics_read"],
      inbox_id: account.inbox.id,
    });
    const caller = await service.letterslot.authenticate(bare.api_key, null);
    expect(await service.letterslot.as(caller).usernames.check({ username: "free" })).toMatchObject({
      available: true,
    });
  });
});

describe("an inbox named batch", () => {
  test("can be changed by its name", async () => {
    const { as, account, storage } = await open();
    const record = await storage.get("inboxes", account.inbox.id);
    const email = `batch@${account.inbox.email.split("@")[1]}`;
    await storage.update("inboxes", { id: record?.id ?? "" }, { username: "batch", email });
    await storage.insert("addresses", {
      address: email,
      domain: account.inbox.email.split("@")[1] ?? "",
      kind: "inbox",
      account_id: account.account_id,
      inbox_id: account.inbox.id,
      created_at: account.inbox.created_at,
    });
    const paused = await as.inboxes.update({ inbox_id: "batch", status: "paused" });
    expect(paused).toMatchObject({ id: account.inbox.id, username: "batch", status: "paused" });
  });
});
