import { beforeEach, describe, expect, test } from "vitest";
import { createTestService, type TestAccount, type TestService } from "../../../testing/index.ts";
import type { Permission } from "../../catalogue/permissions.ts";
import { type TableName, tables } from "../../model/tables.ts";
import { scanTable } from "../transfer/scan.ts";

const grace = "grace@example.com";
const heidi = "heidi@example.org";
const day = 24 * 3600_000;

let service: TestService;
let account: TestAccount;

beforeEach(async () => {
  service = createTestService();
  account = await service.signUp("agent");
});

const code = (name: string) => expect.objectContaining({ code: name });
const withKey = async (api_key: string | undefined) =>
  service.letterslot.as(await service.letterslot.authenticate(api_key ?? "", null));

/** A workspace with its key's operations. */
async function open(inbox_quota = 3, of = account) {
  const workspace = await of.as.workspaces.create({ name: "Acme", inbox_quota });
  return { ...workspace, as: await withKey(workspace.api_key) };
}

/** A key of the account with these permissions. */
const keyWith = async (terms: { permissions?: Permission[]; inbox_id?: string; expires_at?: string }) =>
  withKey((await account.as.keys.create(terms)).api_key);

const ownKeyId = async () => (await account.as.me.get({})).key?.id ?? "";

/** The person as the account's first owner, who has taken charge. */
async function takeCharge(email = grace) {
  await service.addOwner(account, email);
  const owner = service.letterslot.asOwner({ email, account_id: account.account_id });
  await owner.authority.create({ account_id: account.account_id });
  return owner;
}

describe("a workspace", () => {
  test("is an account of its own, whose key's secret is shown once", async () => {
    const { as, ...workspace } = await open(5);
    expect(workspace).toMatchObject({ object: "workspace", name: "Acme", inbox_quota: 5, inboxes_used: 0 });
    expect(workspace.api_key).toMatch(/^ls_live_/);
    expect(workspace.api_key?.startsWith(workspace.api_key_prefix)).toBe(true);
    const { api_key: _, ...shown } = workspace;
    expect(await account.as.workspaces.get({ workspace_id: workspace.id })).toEqual(shown);
    expect((await account.as.workspaces.list({})).data).toEqual([shown]);
    expect(await as.me.get({})).toMatchObject({
      account_id: workspace.account_id,
      parent_account_id: account.account_id,
      workspace: { id: workspace.id, inbox_quota: 5 },
    });
    expect(await account.as.me.get({})).not.toHaveProperty("workspace");
  });

  test("is the same one for a client_id used before, without the secret", async () => {
    const asked = { name: "Acme", inbox_quota: 5, client_id: "customer-17" };
    const { api_key, ...first } = await account.as.workspaces.create(asked);
    expect(api_key).toBeDefined();
    const again = await account.as.workspaces.create({ ...asked, name: "Other" });
    expect(again).toEqual({ ...first, idempotent: true });
    const keyed = { idempotencyKey: "create-1" };
    await account.as.workspaces.create({ name: "Keyed", inbox_quota: 1 }, keyed);
    expect(await account.as.workspaces.create({ name: "Keyed", inbox_quota: 1 }, keyed)).not.toHaveProperty(
      "api_key",
    );
    expect((await account.as.workspaces.list({})).data).toHaveLength(2);
  });

  test("sees nothing of its parent and of other workspaces, and they see it only through it", async () => {
    const { as, id } = await open();
    const other = await open();
    const { id: inbox_id } = await as.inboxes.create({ username: "room" });
    expect((await as.inboxes.list({})).data.map((inbox) => inbox.id)).toEqual([inbox_id]);
    for (const stranger of [account.as, other.as])
      await expect(stranger.inboxes.get({ inbox_id })).rejects.toThrow(code("inbox_not_found"));
    await expect(as.inboxes.get({ inbox_id: account.inbox.id })).rejects.toThrow(code("inbox_not_found"));
    await expect(as.workspaces.get({ workspace_id: id })).rejects.toThrow(code("workspace_not_found"));
    expect((await as.workspaces.list({})).data).toEqual([]);
    const shown = await account.as.workspaces.inboxes({ workspace_id: id });
    expect(shown.data.map((inbox) => inbox.email)).toEqual(["room@letterslot.localhost"]);
    expect((await account.as.workspaces.inboxes({ workspace_id: other.id })).data).toEqual([]);
  });

  test("keeps its events in its own feed", async () => {
    const { as } = await open();
    const inbox = await as.inboxes.create({ username: "room" });
    await service.receive({ from: "ada@sender.example", to: inbox.email, text: "Hello" });
    expect((await as.events.list({})).data.map(({ type }) => type)).toContain("message.received");
    expect((await account.as.events.list({})).data).toEqual([]);
  });

  test("has no workspaces of its own", async () => {
    const { as, id } = await open();
    const asked = { name: "Nested", inbox_quota: 1 };
    await expect(as.workspaces.create(asked)).rejects.toThrow(code("permission_denied"));
    const within = service.letterslot.as(await service.letterslot.within(account.caller, id));
    await expect(within.workspaces.create(asked)).rejects.toThrow(code("permission_denied"));
  });

  test("can be renamed", async () => {
    const { id } = await open();
    await service.clock.advance(day);
    const renamed = await account.as.workspaces.update({ workspace_id: id, name: "Acme Ltd" });
    expect(renamed).toMatchObject({ name: "Acme Ltd", inbox_quota: 3 });
    expect(renamed.updated_at > renamed.created_at).toBe(true);
    await expect(account.as.workspaces.update({ workspace_id: id })).rejects.toThrow(code("missing_change"));
  });

  test.each([
    [{ name: "" }, "name"],
    [{ name: "x".repeat(65) }, "name"],
    [{ inbox_quota: 0 }, "inbox_quota"],
    [{ inbox_quota: 10_001 }, "inbox_quota"],
    [{ inbox_quota: 1.5 }, "inbox_quota"],
  ])("can't be made with %j", async (wrong, param) => {
    const asked = { name: "Acme", inbox_quota: 1, ...wrong };
    await expect(account.as.workspaces.create(asked)).rejects.toMatchObject({ param });
  });
});

describe("a workspace's first key", () => {
  test("has at most its creator's permissions, and ends with it", async () => {
    const expires_at = new Date(service.clock.now().getTime() + day).toISOString();
    const permissions: Permission[] = ["workspace_write", "inbox_read"];
    const creator = await keyWith({ permissions, expires_at });
    const { api_key } = await creator.workspaces.create({ name: "Acme", inbox_quota: 1 });
    const { key } = await (await withKey(api_key)).me.get({});
    expect(key).toMatchObject({ permissions, expires_at, inbox_id: null });
  });

  test("is revoked with the key that created it", async () => {
    const owner = await takeCharge();
    const { id, api_key } = await account.as.keys.create({});
    const workspace = await (await withKey(api_key)).workspaces.create({ name: "Acme", inbox_quota: 1 });
    await owner.keys.delete({ key_id: id });
    await expect(withKey(workspace.api_key)).rejects.toThrow(code("api_key_revoked"));
  });

  test("is made by no key that is limited to an inbox", async () => {
    const scoped = await keyWith({ inbox_id: account.inbox.id });
    const asked = { name: "Acme", inbox_quota: 1 };
    await expect(scoped.workspaces.create(asked)).rejects.toThrow(code("permission_denied"));
    await expect(scoped.workspaces.list({})).rejects.toThrow(code("permission_denied"));
  });
});

describe("a workspace's quota", () => {
  test("ends with its last inbox, and an inbox that goes gives back its place", async () => {
    const { as, id } = await open(2);
    const first = await as.inboxes.create({ client_id: "first" });
    expect((await as.inboxes.create({ client_id: "first" })).id).toBe(first.id);
    await as.inboxes.create({});
    await expect(as.inboxes.create({})).rejects.toMatchObject({
      code: "plan_limit_exceeded",
      quota: { resource: "inboxes", limit: 2, used: 2, upgrade_url: null },
    });
    await as.inboxes.delete({ inbox_id: first.id, permanent: true });
    expect(await account.as.workspaces.get({ workspace_id: id })).toMatchObject({ inboxes_used: 1 });
    await as.inboxes.create({});
    await account.as.workspaces.update({ workspace_id: id, inbox_quota: 3 });
    await as.inboxes.create({});
    await expect(as.inboxes.create({})).rejects.toThrow(code("plan_limit_exceeded"));
  });

  test("is asked for a whole batch, of which none is left behind", async () => {
    const { as, id } = await open(3);
    await expect(as.inboxes.createBatch({ count: 4 })).rejects.toThrow(code("plan_limit_exceeded"));
    expect(await account.as.workspaces.get({ workspace_id: id })).toMatchObject({ inboxes_used: 0 });
    await as.inboxes.createBatch({ count: 3 });
  });

  test("is given back by an inbox that expired", async () => {
    const { as, id } = await open(1);
    await as.inboxes.create({ ttl_hours: 1 });
    await service.clock.advance(9 * day);
    await service.letterslot.sweep();
    await service.work();
    expect(await account.as.workspaces.get({ workspace_id: id })).toMatchObject({ inboxes_used: 0 });
  });

  test("may not fall below what is used", async () => {
    const { as, id } = await open(3);
    await as.inboxes.createBatch({ count: 2 });
    const lower = (inbox_quota: number) => account.as.workspaces.update({ workspace_id: id, inbox_quota });
    await expect(lower(1)).rejects.toThrow(code("quota_below_usage"));
    expect(await lower(2)).toMatchObject({ inbox_quota: 2, inboxes_used: 2 });
  });

  test("holds when many create the last inbox at once", async () => {
    const { as, id } = await open(3);
    const created = await Promise.allSettled(Array.from({ length: 8 }, () => as.inboxes.create({})));
    const refused = created.filter((each) => each.status === "rejected");
    expect(refused.map(({ reason }) => reason.code)).toEqual(Array(5).fill("plan_limit_exceeded"));
    expect(await account.as.workspaces.get({ workspace_id: id })).toMatchObject({ inboxes_used: 3 });
  });
});

describe("deleting a workspace", () => {
  test("needs it to be empty, unless its inboxes go with it", async () => {
    const { as, id, api_key } = await open();
    const { id: inbox_id, email } = await as.inboxes.create({});
    const asked = { workspace_id: id };
    await expect(account.as.workspaces.delete(asked)).rejects.toThrow(code("workspace_not_empty"));
    const spare = await as.keys.create({});
    expect(await account.as.workspaces.delete({ ...asked, delete_inboxes: true })).toEqual({
      id,
      object: "workspace",
      deleted: true,
      inboxes_deleted: 1,
      keys_revoked: 2,
    });
    await expect(account.as.workspaces.get(asked)).rejects.toThrow(code("workspace_not_found"));
    for (const key of [api_key, spare.api_key])
      await expect(withKey(key)).rejects.toThrow(code("api_key_revoked"));
    expect(await service.letterslot.services.storage.get("inboxes", inbox_id)).toBeUndefined();
    const again = { username: email.slice(0, email.indexOf("@")) };
    await expect(account.as.inboxes.create(again)).rejects.toThrow(code("username_taken"));
  });

  test("is done by a stranger as little as looking at it", async () => {
    const { id: workspace_id } = await open();
    const eve = await service.signUp("eve");
    for (const attempt of [
      () => eve.as.workspaces.get({ workspace_id }),
      () => eve.as.workspaces.update({ workspace_id, name: "Eve's" }),
      () => eve.as.workspaces.inboxes({ workspace_id }),
      () => eve.as.workspaces.delete({ workspace_id, delete_inboxes: true }),
      () => eve.as.workspaces.deleteInbox({ workspace_id, workspace_inbox_id: account.inbox.id }),
    ])
      await expect(attempt()).rejects.toThrow(code("workspace_not_found"));
  });

  test("one of its inboxes goes alone, and only one of its own", async () => {
    const { as, id: workspace_id } = await open();
    const { id } = await as.inboxes.create({});
    const gone = await account.as.workspaces.deleteInbox({ workspace_id, workspace_inbox_id: id });
    expect(gone).toMatchObject({ id, object: "inbox", deleted: true });
    for (const workspace_inbox_id of [id, account.inbox.id])
      await expect(account.as.workspaces.deleteInbox({ workspace_id, workspace_inbox_id })).rejects.toThrow(
        code("inbox_not_found"),
      );
  });

  test("leaves what an owner must approve, and then deletes nothing", async () => {
    await takeCharge();
    const { as, id: workspace_id } = await open();
    const free = await as.inboxes.create({});
    const guarded = await as.inboxes.create({});
    await as.inboxes.update({ inbox_id: guarded.id, send_mode: "approval" });
    for (const attempt of [
      () => account.as.workspaces.delete({ workspace_id, delete_inboxes: true }),
      () => account.as.workspaces.deleteInbox({ workspace_id, workspace_inbox_id: guarded.id }),
    ])
      await expect(attempt()).rejects.toMatchObject({
        code: "approval_required",
        message: expect.stringContaining(guarded.id),
      });
    expect((await as.inboxes.get({ inbox_id: free.id })).id).toBe(free.id);
  });

  test("counts the same for an inbox that somebody has authority over", async () => {
    const { as, id: workspace_id, account_id } = await open();
    const { id: inbox_id } = await as.inboxes.create({});
    const { authority } = service.letterslot.operator.accounts;
    await authority.give({ account_id, email: heidi, inbox_id });
    await expect(account.as.workspaces.delete({ workspace_id, delete_inboxes: true })).rejects.toThrow(
      code("approval_required"),
    );
  });
});

describe("what is left of a deleted workspace", () => {
  test("is deleted but for its addresses and its revoked keys", async () => {
    const { as, id, account_id } = await open();
    const inbox = await as.inboxes.create({});
    await as.webhooks.create({ url: "https://receiver.example/hook" });
    await as.consumers.create({ client_id: "reader" });
    await as.suppressions.create({ address: "gone@example.net" });
    await as.lists.create({ direction: "send", type: "block", entry: "foe@example.net" });
    await service.receive({ from: "ada@sender.example", to: inbox.email, text: "Hello" });
    await as.messages.send({ inbox_id: inbox.id, to: ["bo@example.net"], subject: "Hi", text: "Hi" });
    await service.work();
    await account.as.workspaces.delete({ workspace_id: id, delete_inboxes: true });
    await service.work();
    const { storage } = service.letterslot.services;
    const left: string[] = [];
    for (const table of Object.keys(tables) as TableName[])
      for await (const batch of scanTable(storage, table))
        if (batch.some((record) => JSON.stringify(record).includes(account_id))) left.push(table);
    expect(left.toSorted()).toEqual(["accounts", "addresses", "keys"]);
  });

  test("is out of reach for the account's owners, who had authority there", async () => {
    const owner = await takeCharge();
    const { id, account_id } = await open();
    await owner.workspaces.delete({ workspace_id: id });
    const there = service.letterslot.asOwner({ email: grace, account_id });
    await expect(there.inboxes.create({})).rejects.toThrow(code("account_not_found"));
  });
});

describe("the owners of the account", () => {
  test("create workspaces, whose key holds all", async () => {
    const owner = await takeCharge();
    const { api_key } = await owner.workspaces.create({ name: "Acme", inbox_quota: 1 });
    expect((await (await withKey(api_key)).me.get({})).key).toMatchObject({ permissions: null });
  });

  test("have authority in a workspace, and a key's own owners there have none", async () => {
    await takeCharge();
    const { as, id, account_id } = await open();
    const inbox = await as.inboxes.create({});
    await service.addOwner({ ...account, as, inbox }, heidi);
    const inWorkspace = (email: string) => service.letterslot.asOwner({ email, account_id });
    await expect(inWorkspace(heidi).inboxes.list({})).rejects.toThrow(code("account_not_found"));
    expect(await inWorkspace(heidi).authority.create({ account_id })).toMatchObject({ object: "approval" });
    expect((await inWorkspace(grace).inboxes.list({})).data.map((each) => each.id)).toEqual([inbox.id]);
    const by = { email: grace, account_id: account.account_id, workspace_id: id };
    expect((await service.letterslot.asOwner(by).inboxes.list({})).data).toHaveLength(1);
    const shown = await service.letterslot.asOwner({ email: heidi, account_id }).sessions.get({});
    expect(shown.inboxes).toEqual([{ id: inbox.id, email: inbox.email, account_id, workspace: id }]);
  });

  test("decide what a workspace's inboxes ask", async () => {
    await takeCharge();
    const { as, account_id } = await open();
    const { id: inbox_id } = await as.inboxes.create({});
    await as.inboxes.update({ inbox_id, send_mode: "approval" });
    const held = await as.messages.send({ inbox_id, to: ["bo@example.net"], subject: "Offer", text: "Hi" });
    if (held.object !== "draft") throw new Error("it was not held");
    await service.work();
    expect(service.transport.sent.at(-1)?.envelope.rcpt_to).toEqual([grace]);
    const owner = service.letterslot.asOwner({ email: grace, account_id });
    const approval_id = held.approval_id ?? "";
    const { digest } = (await owner.approvals.content({ approval_id })).approval;
    await owner.approvals.decideInSession({ approval_id, decision: "approve", digest });
    await service.work();
    expect(service.transport.sent.at(-1)?.envelope.rcpt_to).toEqual(["bo@example.net"]);
  });

  test("can't leave while an inbox of a workspace is in approval mode", async () => {
    const owner = await takeCharge();
    const { as } = await open();
    const { id: inbox_id } = await as.inboxes.create({});
    await as.inboxes.update({ inbox_id, send_mode: "approval" });
    const [own] = (await owner.authority.list({})).data;
    await expect(owner.authority.delete({ authority_id: own?.id ?? "" })).rejects.toMatchObject({
      code: "owner_required",
      message: expect.stringContaining(inbox_id),
    });
  });

  test("are not those whom a workspace's key verified: the account stays unclaimed", async () => {
    const claimed = createTestService({ onboarding: "claimed" });
    const parent = await claimed.signUp("agent");
    const { api_key } = await parent.as.workspaces.create({ name: "Acme", inbox_quota: 1 });
    const as = claimed.letterslot.as(await claimed.letterslot.authenticate(api_key ?? "", null));
    const inbox = await as.inboxes.create({});
    await claimed.addOwner({ ...parent, as, inbox }, heidi);
    const mail = { inbox_id: inbox.id, to: ["bo@example.net"], subject: "Hi", text: "Hi" };
    await expect(as.messages.send(mail)).rejects.toThrow(code("account_unclaimed"));
    expect((await as.me.get({})).restrictions).toEqual(["account_unclaimed"]);
    expect(await claimed.letterslot.services.storage.get("accounts", parent.account_id)).toMatchObject({
      claimed: false,
      first_owner_email: null,
    });
    await claimed.addOwner(parent, grace);
    expect((await as.me.get({})).restrictions).toEqual([]);
    await as.messages.send(mail);
  });
});

test("the first owner of a workspace is no account owner, of it or of the account", async () => {
  const { as, account_id } = await open();
  const inbox = await as.inboxes.create({});
  await service.addOwner({ ...account, as, inbox }, heidi);
  const { storage } = service.letterslot.services;
  for (const [id, refusal] of [
    [account_id, "owner_required"],
    [account.account_id, "account_not_found"],
  ] as const) {
    expect(await storage.get("accounts", id)).toMatchObject({ claimed: false, first_owner_email: null });
    const person = service.letterslot.asOwner({ email: heidi, account_id: id });
    await expect(person.authority.create({ account_id: id })).rejects.toThrow(code(refusal));
  }
});

describe("a call within a workspace", () => {
  const within = async (
    workspace_id: string,
    caller: Parameters<typeof service.letterslot.within>[0] = account.caller,
  ) => service.letterslot.as(await service.letterslot.within(caller, workspace_id));

  test("is one of its sub-account, with no more than its own permissions", async () => {
    const { id, account_id } = await open();
    const few = await account.as.keys.create({ permissions: ["inbox_read"] });
    const caller = await service.letterslot.authenticate(few.api_key, null);
    expect(await (await within(id)).me.get({})).toMatchObject({
      account_id,
      key: { id: await ownKeyId() },
    });
    const inbox = await (await within(id)).inboxes.create({ username: "room" });
    const reader = await within(id, caller);
    expect((await reader.inboxes.list({})).data).toEqual([inbox]);
    await expect(reader.inboxes.create({})).rejects.toThrow(code("permission_denied"));
  });

  test("makes keys that are revoked with the caller's", async () => {
    const { id } = await open();
    const owner = await takeCharge();
    const { api_key } = await (await within(id)).keys.create({});
    await owner.keys.delete({ key_id: await ownKeyId() });
    await expect(withKey(api_key)).rejects.toThrow(code("api_key_revoked"));
  });

  test("is for nobody else's workspace", async () => {
    const { id, as } = await open();
    const eve = await service.signUp("eve");
    for (const workspace_id of [id, "wsp_nothing"])
      await expect(within(workspace_id, eve.caller)).rejects.toThrow(code("workspace_not_found"));
    const own = await as.keys.create({});
    const child = await service.letterslot.authenticate(own.api_key, null);
    await expect(within(id, child)).rejects.toThrow(code("workspace_not_found"));
    const by = { email: heidi, account_id: account.account_id, workspace_id: id };
    await expect(service.letterslot.asOwner(by).inboxes.list({})).rejects.toThrow(
      code("workspace_not_found"),
    );
  });

  test("is not for a key that is limited to an inbox", async () => {
    const { id } = await open();
    const { api_key } = await account.as.keys.createForInbox({ inbox_id: account.inbox.id });
    const scoped = await service.letterslot.authenticate(api_key, null);
    await expect(within(id, scoped)).rejects.toThrow(code("permission_denied"));
  });
});
