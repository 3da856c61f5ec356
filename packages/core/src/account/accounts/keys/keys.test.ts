import { describe, expect, test } from "vitest";
import { createTestService, type TestAccount, type TestService } from "../../../../testing/index.ts";
import type { Permission } from "../../../catalogue/permissions.ts";

async function callerOf({ letterslot }: TestService, made: { api_key: string }) {
  return letterslot.as(await letterslot.authenticate(made.api_key, null));
}

const createKey = async (
  service: TestService,
  account: TestAccount,
  permissions: Permission[] | null,
  inbox_id: string | null = null,
) => callerOf(service, await account.as.keys.create({ name: "created", permissions, inbox_id }));

describe("creating", () => {
  test("without credentials opens an account with a full-access key", async () => {
    const service = createTestService();
    const made = await service.letterslot
      .as({ type: "public", ip: null })
      .keys.create({ name: "first", ttl_hours: 2 });
    expect(made).toMatchObject({
      object: "api_key",
      name: "first",
      permissions: null,
      inbox_id: null,
      expires_at: "2026-01-01T02:00:00.000Z",
    });
    expect((await (await callerOf(service, made)).me.get({})).account_id).toBe(made.account_id);
    expect((await (await callerOf(service, made)).inboxes.list({})).data).toEqual([]);
  });

  test("with a key adds a key to its account, and shows the secret only once", async () => {
    const service = createTestService();
    const { as, account_id } = await service.signUp();
    const made = await as.keys.create({ name: "worker", permissions: ["task_read"] });
    expect(made).toMatchObject({
      account_id,
      permissions: ["task_read"],
      revoked_at: null,
      last_used_at: null,
    });
    const listed = await as.keys.list({});
    expect(listed.data.map(({ name }) => name)).toEqual(["worker", "API key"]);
    expect(listed.data.map(({ parent_key_id }) => parent_key_id)).toEqual([listed.data[1]?.id, null]);
    expect(JSON.stringify(listed)).not.toContain(made.api_key);
    expect(await as.keys.get({ key_id: made.id })).not.toHaveProperty("api_key");
  });

  test("shows nothing of what is stored of the secret", async () => {
    const service = createTestService();
    const { as } = await service.signUp();
    const made = await as.keys.create({ name: "worker" });
    const { hash } = (await service.letterslot.services.storage.get("keys", made.id)) ?? { hash: "" };
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    const shown = [made, await as.keys.get({ key_id: made.id }), await as.keys.list({}), await as.me.get({})];
    expect(JSON.stringify(shown)).not.toContain(hash);
  });

  test("needs key_write, and rejects an unknown permission", async () => {
    const service = createTestService();
    const account = await service.signUp();
    const reader = await createKey(service, account, ["key_read"]);
    await expect(reader.keys.create({ permissions: ["key_read"] })).rejects.toMatchObject({
      code: "permission_denied",
      param: "key_write",
    });
    await expect(account.as.keys.create({ permissions: ["everything" as Permission] })).rejects.toMatchObject(
      {
        code: "invalid_permission",
      },
    );
    await expect(account.as.keys.create({ permissions: [] })).rejects.toMatchObject({
      code: "invalid_request",
      param: "permissions",
    });
  });

  test("never gives more than the creator has", async () => {
    const service = createTestService();
    const account = await service.signUp();
    const other = await account.as.inboxes.create({});
    const restricted = await createKey(service, account, ["key_write", "task_read"]);
    await expect(restricted.keys.create({})).rejects.toMatchObject({ code: "permission_escalation" });
    await expect(restricted.keys.create({ permissions: ["message_send"] })).rejects.toMatchObject({
      code: "permission_escalation",
    });
    expect((await restricted.keys.create({ permissions: ["task_read"] })).permissions).toEqual(["task_read"]);

    const scoped = await createKey(service, account, null, account.inbox.id);
    expect((await scoped.keys.create({})).inbox_id).toBe(account.inbox.id);
    await expect(scoped.keys.create({ inbox_id: other.id })).rejects.toMatchObject({
      code: "inbox_not_found",
    });
    await expect(scoped.keys.createForInbox({ inbox_id: other.id })).rejects.toMatchObject({
      code: "inbox_not_found",
    });
  });

  test("for an inbox is limited to it, and to inboxes of the account", async () => {
    const service = createTestService();
    const account = await service.signUp("ada");
    const stranger = await service.signUp("eve");
    const made = await account.as.keys.createForInbox({ inbox_id: account.inbox.id, name: "inbox key" });
    expect(made.inbox_id).toBe(account.inbox.id);
    await expect(account.as.keys.create({ inbox_id: stranger.inbox.id })).rejects.toMatchObject({
      code: "inbox_not_found",
    });
    await expect(account.as.keys.createForInbox({ inbox_id: stranger.inbox.id })).rejects.toMatchObject({
      code: "inbox_not_found",
    });
  });

  test("by a key that was just revoked creates no key", async () => {
    const service = createTestService();
    const account = await service.signUp();
    await account.as.keys.delete({ key_id: account.caller.key.id });
    await expect(account.as.keys.create({})).rejects.toMatchObject({ code: "api_key_revoked" });
  });
});

describe("existing keys", () => {
  test("a key fails with api_key_expired from its expiry on", async () => {
    const service = createTestService();
    const account = await service.signUp();
    const { api_key } = await account.as.keys.create({ ttl_hours: 1 });
    await service.clock.advance(3600_000 - 1);
    await expect(service.letterslot.authenticate(api_key, null)).resolves.toBeDefined();
    await service.clock.advance(1);
    await expect(service.letterslot.authenticate(api_key, null)).rejects.toMatchObject({
      code: "api_key_expired",
    });
  });

  test("a key may revoke itself, with immediate effect", async () => {
    const service = createTestService();
    const account = await service.signUp();
    const made = await account.as.keys.create({ permissions: ["task_read"] });
    const itself = await callerOf(service, made);
    expect(await itself.keys.delete({ key_id: made.id })).toEqual({
      id: made.id,
      object: "api_key",
      deleted: true,
    });
    await expect(service.letterslot.authenticate(made.api_key, null)).rejects.toMatchObject({
      code: "api_key_revoked",
    });
    expect((await account.as.keys.get({ key_id: made.id })).revoked_at).toBe("2026-01-01T00:00:00.000Z");
  });

  test("revoking again keeps the first time", async () => {
    const service = createTestService();
    const account = await service.signUp();
    const { id } = await account.as.keys.create({});
    await account.as.keys.delete({ key_id: id });
    await service.clock.advance(1000);
    await account.as.keys.delete({ key_id: id });
    expect((await account.as.keys.get({ key_id: id })).revoked_at).toBe("2026-01-01T00:00:00.000Z");
  });

  test("a key can be renamed by itself or by a key with its permissions", async () => {
    const service = createTestService();
    const account = await service.signUp();
    const made = await account.as.keys.create({ permissions: ["task_read"] });
    expect((await (await callerOf(service, made)).keys.update({ key_id: made.id, name: "mine" })).name).toBe(
      "mine",
    );
    expect((await account.as.keys.update({ key_id: made.id, name: "theirs" })).name).toBe("theirs");
    const weaker = await createKey(service, account, ["key_write"]);
    await expect(weaker.keys.update({ key_id: made.id, name: "x" })).rejects.toMatchObject({
      code: "permission_denied",
      param: "task_read",
    });
    await expect(weaker.keys.delete({ key_id: account.caller.key.id })).rejects.toMatchObject({
      code: "permission_denied",
    });
  });

  test("a scoped key lists and finds only the keys of its inbox", async () => {
    const service = createTestService();
    const account = await service.signUp();
    const scoped = await createKey(service, account, null, account.inbox.id);
    expect((await scoped.keys.list({})).data.map(({ inbox_id }) => inbox_id)).toEqual([account.inbox.id]);
    await expect(scoped.keys.get({ key_id: account.caller.key.id })).rejects.toMatchObject({
      code: "key_not_found",
    });
    await expect(scoped.keys.delete({ key_id: account.caller.key.id })).rejects.toMatchObject({
      code: "key_not_found",
    });
  });

  test("another account's key is not found, and a mistyped id is reported as such", async () => {
    const service = createTestService();
    const ada = await service.signUp("ada");
    const eve = await service.signUp("eve");
    await expect(eve.as.keys.get({ key_id: ada.caller.key.id })).rejects.toMatchObject({
      code: "key_not_found",
    });
    const mistyped = `${ada.caller.key.id.slice(0, -1)}${ada.caller.key.id.endsWith("0") ? "1" : "0"}`;
    await expect(ada.as.keys.get({ key_id: mistyped })).rejects.toMatchObject({
      code: "key_not_found",
      fix: expect.stringContaining("mistyped"),
    });
  });

  test("the list has pages", async () => {
    const service = createTestService();
    const { as } = await service.signUp();
    for (const name of ["b", "c"]) await as.keys.create({ name });
    const first = await as.keys.list({ limit: 2 });
    expect(first).toMatchObject({ has_more: true, data: [{ name: "c" }, { name: "b" }] });
    const second = await as.keys.list({ limit: 2, cursor: first.next_cursor ?? "" });
    expect(second).toMatchObject({ has_more: false, next_cursor: null, data: [{ name: "API key" }] });
    await expect(as.keys.list({ cursor: "bm9uc2Vuc2U" })).rejects.toMatchObject({ code: "invalid_cursor" });
  });
});

describe("revoking", () => {
  const grace = "grace@example.com";
  const heidi = "heidi@example.org";

  /** A key, one that it created, and one that this created. */
  async function family(service: TestService, account: TestAccount, inbox_id: string | null = null) {
    const child = await account.as.keys.create({ name: "child", inbox_id });
    const grandchild = await (await callerOf(service, child)).keys.create({ name: "grandchild" });
    const last = await (await callerOf(service, grandchild)).keys.create({ name: "last" });
    return { child, grandchild, last };
  }
  const works = ({ letterslot }: TestService, { api_key }: { api_key: string }) =>
    letterslot.authenticate(api_key, null).then(
      () => true,
      () => false,
    );

  test("in an account owner's session takes all keys along that descend from it", async () => {
    const service = createTestService();
    const account = await service.signUp("ada");
    await service.addOwner(account, grace);
    const owner = service.letterslot.asOwner({ email: grace, account_id: account.account_id });
    await owner.authority.create({ account_id: account.account_id });
    const { child, grandchild, last } = await family(service, account);
    const other = await account.as.keys.create({ name: "other" });
    expect(await owner.keys.delete({ key_id: child.id })).toEqual({
      id: child.id,
      object: "api_key",
      deleted: true,
      keys_revoked: 3,
    });
    for (const key of [child, grandchild, last]) expect(await works(service, key)).toBe(false);
    expect(await works(service, other)).toBe(true);
    expect(await owner.keys.delete({ key_id: child.id })).toMatchObject({ keys_revoked: 0 });
  });

  test("by a key takes only the named one; a person can still take those that it left", async () => {
    const service = createTestService();
    const account = await service.signUp("ada");
    const { account_id } = account;
    await service.letterslot.operator.accounts.authority.give({ account_id, email: grace });
    const { child, grandchild, last } = await family(service, account);
    await account.as.keys.delete({ key_id: child.id });
    expect(await works(service, grandchild)).toBe(true);
    const owner = service.letterslot.asOwner({ email: grace, account_id });
    expect(await owner.keys.delete({ key_id: child.id })).toMatchObject({ keys_revoked: 2 });
    for (const key of [grandchild, last]) expect(await works(service, key)).toBe(false);
  });

  test("in the session of an inbox's authority reaches the keys of that inbox alone", async () => {
    const service = createTestService();
    const account = await service.signUp("ada");
    const { account_id, inbox } = account;
    await service.letterslot.operator.accounts.authority.give({
      account_id,
      email: heidi,
      inbox_id: inbox.id,
    });
    const owner = service.letterslot.asOwner({ email: heidi, account_id });
    const { child, grandchild } = await family(service, account, inbox.id);
    const whole = await account.as.keys.create({ name: "whole account" });
    await expect(owner.keys.delete({ key_id: whole.id })).rejects.toMatchObject({ code: "key_not_found" });
    await expect(owner.keys.update({ key_id: child.id, name: "x" })).rejects.toMatchObject({
      code: "permission_denied",
    });
    expect(await owner.keys.delete({ key_id: child.id })).toMatchObject({ keys_revoked: 3 });
    expect(await works(service, grandchild)).toBe(false);
    expect(await works(service, account)).toBe(true);
  });

  test("reaches every descendant, since a key can have only so many ancestors", async () => {
    const service = createTestService();
    const account = await service.signUp("ada");
    let newest = account.as;
    for (let generation = 2; generation <= 20; generation += 1)
      newest = await callerOf(service, await newest.keys.create({}));
    await expect(newest.keys.create({})).rejects.toMatchObject({ code: "key_generations" });
  });
});
