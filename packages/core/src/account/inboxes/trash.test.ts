import { describe, expect, test } from "vitest";
import { exported, imported } from "../../../../../test/support/archives.ts";
import { createTestService, type TestAccount, type TestService } from "../../../testing/index.ts";

const OWNER = "olga@owner.example";
const DAY_MS = 24 * 3600_000;

/** An account with a second inbox, which has mail, a task, an owner, a key and a scheduled draft. */
async function open() {
  const service = createTestService();
  const account = await service.signUp();
  const { as } = account;
  const inbox = await as.inboxes.create({ username: "second", client_id: "two" });
  const inbox_id = inbox.id;
  await service.addOwner({ ...account, inbox }, OWNER);
  const { results } = await service.receive({
    from: OWNER,
    to: inbox.email,
    subject: "Please",
    text: "Do it.",
  });
  const message_id = results[0]?.message_id ?? "";
  const { api_key } = await as.keys.createForInbox({ inbox_id, name: "its own" });
  const send_at = new Date(service.clock.now().getTime() + DAY_MS).toISOString();
  const draft = await as.drafts.create({ inbox_id, to: ["bob@example.com"], text: "Later.", send_at });
  return { service, account, as, inbox, inbox_id, message_id, api_key, draft_id: draft.id };
}

async function session({ service, account }: { service: TestService; account: TestAccount }, email = OWNER) {
  const { account_id } = account;
  await service.letterslot.operator.accounts.authority.give({ account_id, email });
  return service.letterslot.asOwner({ email, account_id });
}

async function inboxesUsed({ letterslot }: TestService, account_id: string): Promise<number | undefined> {
  const where = { account_id, resource: "inboxes", period: "" } as const;
  return (await letterslot.services.storage.find("plan_usage", { where, limit: 1 }))[0]?.used;
}

describe("a deleted inbox", () => {
  test("is out of reach with everything in it, and its mail is refused", async () => {
    const { service, as, inbox, inbox_id, message_id, api_key } = await open();
    const [task] = (await as.tasks.list({})).data;
    const restorable_until = new Date(service.clock.now().getTime() + 7 * DAY_MS).toISOString();
    expect(await as.inboxes.delete({ inbox_id })).toMatchObject({
      ...{ id: inbox_id, deleted: true, restorable_until, messages_deleted: 2, threads_deleted: 2 },
      ...{ tasks_deleted: 1, owners_deleted: 1, keys_revoked: 1, drafts_deleted: 1 },
    });
    const gone = { code: "inbox_not_found" };
    await expect(as.inboxes.get({ inbox_id })).rejects.toMatchObject(gone);
    await expect(as.inboxes.get({ inbox_id: inbox.email })).rejects.toMatchObject(gone);
    await expect(as.messages.get({ inbox_id, message_id })).rejects.toMatchObject(gone);
    await expect(as.inboxes.delete({ inbox_id })).rejects.toMatchObject(gone);
    await expect(as.tasks.get({ task_id: task?.id ?? "" })).rejects.toMatchObject({ code: "task_not_found" });
    expect((await as.tasks.list({ status: "all" })).data).toEqual([]);
    expect((await as.tasks.claim({})).task).toBeNull();
    expect((await as.inboxes.list({})).data.map(({ id }) => id)).not.toContain(inbox_id);
    expect((await as.search.messages({ q: "please" })).data).toEqual([]);
    expect((await as.threads.listAll({})).data).toEqual([]);
    expect((await as.drafts.listAll({})).data).toEqual([]);
    await expect(service.letterslot.authenticate(api_key, null)).rejects.toMatchObject({
      code: "api_key_revoked",
    });
    const { results } = await service.receive({ from: OWNER, to: inbox.email, text: "More." });
    expect(results).toMatchObject([{ outcome: "refused", reason: "unknown_recipient" }]);
    expect((await as.inboxes.list({ folder: "trash" })).data).toMatchObject([
      { id: inbox_id, email: inbox.email, restorable_until, deleted_by: { type: "key" } },
    ]);
  });

  test("comes back with its mail, tasks and owners, but no key, and nothing scheduled", async () => {
    const { service, as, inbox, inbox_id, message_id, api_key, draft_id } = await open();
    const before = await as.messages.get({ inbox_id, message_id });
    const [task] = (await as.tasks.list({})).data;
    const [owner] = (await as.owners.list({ inbox_id })).data;
    await as.inboxes.delete({ inbox_id });
    await service.clock.advance(6 * DAY_MS);
    await service.work();
    await service.letterslot.sweep();
    expect(await as.inboxes.restore({ inbox_id })).toEqual(inbox);
    expect(await as.messages.get({ inbox_id, message_id })).toEqual(before);
    expect((await as.tasks.list({})).data).toEqual([task]);
    expect((await as.owners.list({ inbox_id })).data).toEqual([owner]);
    expect((await as.search.messages({ q: "please" })).data).toHaveLength(1);
    expect(await as.drafts.get({ inbox_id, draft_id })).toMatchObject({
      send_status: "draft",
      send_at: null,
    });
    await service.clock.advance(2 * DAY_MS);
    await service.work();
    expect(service.transport.sent.flatMap(({ envelope }) => envelope.rcpt_to)).not.toContain(
      "bob@example.com",
    );
    await expect(service.letterslot.authenticate(api_key, null)).rejects.toMatchObject({
      code: "api_key_revoked",
    });
    const { results } = await service.receive({ from: OWNER, to: inbox.email, text: "More." });
    expect(results).toMatchObject([{ outcome: "stored" }]);
    await expect(as.inboxes.restore({ inbox_id })).rejects.toMatchObject({ code: "not_in_trash" });
  });

  test("comes back with those in charge of it, and without webhooks and consumers of its own, and its number", async () => {
    const { service, account, as, inbox_id } = await open();
    await service.letterslot.operator.accounts.authority.give({
      ...{ account_id: account.account_id, email: OWNER, inbox_id },
    });
    await as.webhooks.create({ url: "https://own.example/", inbox_ids: [inbox_id] });
    const shared = await as.webhooks.create({
      ...{ url: "https://both.example/", inbox_ids: [inbox_id, account.inbox.id] },
    });
    await as.consumers.create({ client_id: "own", inbox_id });
    await as.consumers.create({ client_id: "all" });
    await as.phoneNumbers.create({ inbox_id, area_code: "415" });
    const caller = async (name: "inboxes.delete" | "inboxes.restore") =>
      service.letterslot.call(
        await service.letterslot.callerFor({ email: OWNER, session_id: null, ip: null }, name, { inbox_id }),
        name,
        { inbox_id },
      );
    await caller("inboxes.delete");
    await caller("inboxes.restore");
    const { storage } = service.letterslot.services;
    expect(await storage.find("authorities", { where: { inbox_id }, limit: 9 })).toMatchObject([
      { email: OWNER },
    ]);
    expect((await as.owners.list({ inbox_id })).data).toMatchObject([{ email: OWNER, status: "verified" }]);
    expect((await as.webhooks.list({})).data).toMatchObject([
      { id: shared.id, inbox_ids: [account.inbox.id] },
    ]);
    expect((await as.consumers.list({})).data.map(({ client_id }) => client_id)).toEqual(["all"]);
    expect((await as.phoneNumbers.list({})).data.filter(({ status }) => status === "active")).toEqual([]);
  });

  test("that expired was never in the trash", async () => {
    const { service, as } = await open();
    const short = await as.inboxes.create({ ttl_hours: 1 });
    await service.clock.advance(8 * DAY_MS);
    await service.letterslot.sweep();
    await service.work();
    expect((await as.inboxes.list({ folder: "trash" })).data).toEqual([]);
    await expect(as.inboxes.restore({ inbox_id: short.id })).rejects.toMatchObject({
      code: "inbox_not_found",
    });
  });

  test("keeps its name and its place in the quota until it is gone", async () => {
    const { as, inbox_id, service, account } = await open();
    const used = () => inboxesUsed(service, account.account_id);
    expect(await used()).toBe(2);
    await as.inboxes.delete({ inbox_id });
    expect(await used()).toBe(2);
    await expect(as.inboxes.create({ username: "second" })).rejects.toMatchObject({
      code: "username_taken",
      fix: expect.stringContaining(`/inboxes/${inbox_id}/restore`),
    });
    expect(await as.usernames.check({ username: "second" })).toMatchObject({ available: false });
    expect(await as.inboxes.delete({ inbox_id, permanent: true })).toMatchObject({ restorable_until: null });
    expect(await used()).toBe(1);
    expect((await as.inboxes.create({ username: "second" })).username).toBe("second");
    await expect(as.inboxes.restore({ inbox_id })).rejects.toMatchObject({ code: "inbox_not_found" });
  });

  test("is gone after 7 days, with all that it held", async () => {
    const { service, account, as, inbox_id } = await open();
    await as.inboxes.delete({ inbox_id });
    await service.clock.advance(7 * DAY_MS + 1);
    await service.letterslot.sweep();
    await service.work();
    const { storage } = service.letterslot.services;
    expect((await as.inboxes.list({ folder: "trash" })).data).toEqual([]);
    expect(await storage.count("messages", { inbox_id }, 10)).toBe(0);
    expect(await storage.count("owners", { inbox_id }, 10)).toBe(0);
    expect(await storage.count("tasks", { inbox_id, status: "pending" }, 10)).toBe(0);
    expect(await inboxesUsed(service, account.account_id)).toBe(1);
  });

  test("of another account is not found, and no other key restores it", async () => {
    const { service, as, inbox_id, account } = await open();
    await as.inboxes.delete({ inbox_id });
    const eve = await service.signUp("eve");
    for (const act of [
      () => eve.as.inboxes.restore({ inbox_id }),
      () => eve.as.inboxes.delete({ inbox_id, permanent: true }),
    ])
      await expect(act()).rejects.toMatchObject({ code: "inbox_not_found" });
    const { api_key } = await as.keys.createForInbox({ inbox_id: account.inbox.id, name: "first alone" });
    const held = service.letterslot.as(await service.letterslot.authenticate(api_key, null));
    await expect(held.inboxes.restore({ inbox_id })).rejects.toMatchObject({ code: "inbox_not_found" });
    expect((await held.inboxes.list({ folder: "trash" })).data).toEqual([]);
  });

  test("whose deletion took a decision is restored, or deleted for good, in a session alone", async () => {
    const setting = await open();
    const { as, inbox_id } = setting;
    const olga = await session(setting);
    await as.inboxes.update({ inbox_id, send_mode: "approval" });
    expect(await as.inboxes.delete({ inbox_id })).toMatchObject({ object: "approval", status: "pending" });
    await olga.inboxes.delete({ inbox_id });
    for (const act of [
      () => as.inboxes.restore({ inbox_id }),
      () => as.inboxes.delete({ inbox_id, permanent: true }),
    ])
      await expect(act()).rejects.toMatchObject({ code: "owner_only" });
    expect(await olga.inboxes.restore({ inbox_id })).toMatchObject({ id: inbox_id, send_mode: "approval" });
  });

  test("is restored by whoever has authority over it alone, who reaches no other", async () => {
    const { as, account, service, inbox_id } = await open();
    const { account_id } = account;
    await service.letterslot.operator.accounts.authority.give({ account_id, email: OWNER, inbox_id });
    const call = async (name: "inboxes.delete" | "inboxes.restore", id: string) => {
      const caller = await service.letterslot.callerFor({ email: OWNER, session_id: null, ip: null }, name, {
        inbox_id: id,
      });
      return service.letterslot.call(caller, name, { inbox_id: id });
    };
    expect(await as.inboxes.delete({ inbox_id })).toMatchObject({ object: "approval" });
    await call("inboxes.delete", inbox_id);
    await as.inboxes.delete({ inbox_id: account.inbox.id });
    await expect(call("inboxes.restore", account.inbox.id)).rejects.toMatchObject({
      code: "inbox_not_found",
    });
    expect(await call("inboxes.restore", inbox_id)).toMatchObject({ id: inbox_id });
  });

  test("that an owner approved lies in the trash as theirs; for good only where that was asked", async () => {
    const setting = await open();
    const { as, inbox_id, service } = setting;
    const olga = await session(setting);
    await as.inboxes.update({ inbox_id, send_mode: "approval" });
    const decide = async (permanent: boolean) => {
      const asked = await as.inboxes.delete({ inbox_id, permanent });
      if (asked.object !== "approval") throw new Error("nobody was asked");
      const { id: approval_id, digest } = asked;
      await olga.approvals.decideInSession({ approval_id, decision: "approve", digest });
      await service.work();
    };
    await decide(false);
    expect((await as.inboxes.list({ folder: "trash" })).data).toMatchObject([
      { id: inbox_id, deleted_by: { type: "owner", email: OWNER } },
    ]);
    await olga.inboxes.restore({ inbox_id });
    await decide(true);
    expect((await as.inboxes.list({ folder: "trash" })).data).toEqual([]);
  });

  test("in the trash goes with its workspace and its account at once", async () => {
    const service = createTestService();
    const { as } = await service.signUp();
    const { id, account_id, api_key = "" } = await as.workspaces.create({ name: "w", inbox_quota: 2 });
    const within = service.letterslot.as(await service.letterslot.authenticate(api_key, null));
    const inbox = await within.inboxes.create({ username: "room" });
    await service.receive({ from: OWNER, to: inbox.email, text: "Hello." });
    await within.inboxes.delete({ inbox_id: inbox.id });
    await as.workspaces.delete({ workspace_id: id });
    await service.work();
    const { storage } = service.letterslot.services;
    expect(await storage.count("trashed_inboxes", { account_id }, 1)).toBe(0);
    expect(await storage.count("messages", { inbox_id: inbox.id }, 1)).toBe(0);
  });

  test("moves with an export and can be restored where that is imported", async () => {
    const { service, account, as, inbox_id, message_id } = await open();
    await as.inboxes.delete({ inbox_id });
    const there = createTestService();
    const done = await imported(there, await exported(service, account.account_id));
    expect(done.missing_files).toBe(0);
    const here = there.letterslot.as(await there.letterslot.authenticate(done.api_key, null));
    await expect(here.inboxes.get({ inbox_id })).rejects.toMatchObject({ code: "inbox_not_found" });
    expect(await here.inboxes.restore({ inbox_id })).toMatchObject({ id: inbox_id, username: "second" });
    expect(await here.messages.get({ inbox_id, message_id })).toMatchObject({ subject: "Please" });
    expect((await here.tasks.list({})).data).toMatchObject([{ trusted: false, imported: true }]);
  });
});
