import { describe, expect, test } from "vitest";
import { createTestService } from "../../../testing/index.ts";
import { type Plan, Plans } from "../../catalogue/plans.ts";

const UPGRADE = "https://example.com/plans";

const serviceWith = (free: Partial<Plan>) =>
  createTestService({
    plans: Plans.parse({ default: "free", plans: { free: { upgrade_url: UPGRADE, ...free }, pro: {} } }),
  });

const settled = (outcomes: PromiseSettledResult<unknown>[]) => ({
  done: outcomes.filter(({ status }) => status === "fulfilled").length,
  codes: outcomes.flatMap((outcome) =>
    outcome.status === "rejected" ? [(outcome.reason as { code?: string }).code] : [],
  ),
});

describe("inboxes", () => {
  test("the one beyond the plan is refused, with what is used; deleting one makes room", async () => {
    const { signUp } = serviceWith({ inboxes: 2 });
    const { as, inbox } = await signUp();
    await as.inboxes.create({});
    await expect(as.inboxes.create({})).rejects.toMatchObject({
      code: "plan_limit_exceeded",
      quota: { resource: "inboxes", limit: 2, used: 2, upgrade_url: UPGRADE },
    });
    await as.inboxes.delete({ inbox_id: inbox.id, permanent: true });
    await as.inboxes.create({});
    expect((await as.me.get({})).usage?.inboxes).toEqual({ used: 2, limit: 2 });
  });

  test("of a batch all or none are made", async () => {
    const { signUp } = serviceWith({ inboxes: 3 });
    const { as } = await signUp();
    await expect(as.inboxes.createBatch({ count: 3 })).rejects.toMatchObject({
      quota: { resource: "inboxes", limit: 3 },
    });
    expect((await as.inboxes.list({})).data).toHaveLength(1);
    await as.inboxes.createBatch({ count: 2 });
  });

  test("a repeated call with the same client_id counts once", async () => {
    const { signUp } = serviceWith({ inboxes: 2 });
    const { as } = await signUp();
    const [first, again] = [
      await as.inboxes.create({ client_id: "a" }),
      await as.inboxes.create({ client_id: "a" }),
    ];
    expect(again.id).toBe(first.id);
  });

  test("of many calls for the last one, one gets it", async () => {
    const { signUp } = serviceWith({ inboxes: 2 });
    const { as } = await signUp();
    const { done, codes } = settled(
      await Promise.allSettled(Array.from({ length: 8 }, () => as.inboxes.create({}))),
    );
    expect(done).toBe(1);
    expect(new Set(codes)).toEqual(new Set(["plan_limit_exceeded"]));
    expect((await as.inboxes.list({})).data).toHaveLength(2);
  });

  test("a larger plan makes room at once", async () => {
    const { signUp, letterslot } = serviceWith({ inboxes: 1 });
    const { as, account_id } = await signUp();
    await expect(as.inboxes.create({})).rejects.toMatchObject({ code: "plan_limit_exceeded" });
    await letterslot.operator.accounts.setPlan(account_id, "pro");
    await as.inboxes.create({});
    expect(await as.me.get({})).toMatchObject({ plan: "pro", usage: { inboxes: { used: 2, limit: null } } });
  });
});

describe("monthly sends", () => {
  const to = (count: number) => Array.from({ length: count }, (_, index) => `ada${index}@example.com`);

  test("count recipients, each once, and begin anew with the month (UTC)", async () => {
    const { signUp, clock } = serviceWith({ monthly_sends: 5 });
    const { as, inbox } = await signUp();
    const send = (recipients: string[], cc: string[] = []) =>
      as.messages.send({ inbox_id: inbox.id, to: recipients, cc, text: "Hello" });
    await send(to(2), ["ada0@example.com", "bo@example.com"]);
    await expect(send(to(3))).rejects.toMatchObject({
      quota: { resource: "monthly_sends", limit: 5, used: 3, upgrade_url: UPGRADE },
    });
    await send(to(2));
    const now = clock.now();
    const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
    await clock.advance(next - now.getTime() - 1);
    await expect(send(to(1))).rejects.toMatchObject({ code: "plan_limit_exceeded" });
    await clock.advance(1);
    await send(to(5));
    expect((await as.me.get({})).usage?.monthly_sends).toEqual({ used: 5, limit: 5 });
  });

  test("what was refused for another reason, and what was sent before, isn't counted", async () => {
    const { signUp } = serviceWith({ monthly_sends: 5 });
    const { as, inbox } = await signUp();
    const mail = { inbox_id: inbox.id, to: to(2), text: "Hello", client_id: "one" };
    await as.messages.send(mail);
    await as.messages.send(mail);
    await as.inboxes.update({ inbox_id: inbox.id, status: "paused" });
    await expect(as.messages.send({ ...mail, client_id: "two" })).rejects.toMatchObject({
      code: "inbox_paused",
    });
    expect((await as.me.get({})).usage?.monthly_sends.used).toBe(2);
  });

  test("letters of the service aren't counted", async () => {
    const service = serviceWith({ monthly_sends: 1 });
    const account = await service.signUp();
    await service.addOwner(account, "olga@owner.example");
    expect((await account.as.me.get({})).usage?.monthly_sends.used).toBe(0);
  });

  test("a verified owner at an outside address adds the bonus", async () => {
    const service = serviceWith({ monthly_sends: 4, owner_bonus_percent: 50 });
    const account = await service.signUp();
    const send = (count: number) =>
      account.as.messages.send({ inbox_id: account.inbox.id, to: to(count), text: "Hello" });
    await send(4);
    await expect(send(1)).rejects.toMatchObject({ quota: { limit: 4, used: 4 } });
    await service.addOwner(account, "olga@owner.example");
    await send(2);
    await expect(send(1)).rejects.toMatchObject({ quota: { limit: 6, used: 6 } });
  });

  test("of many sends at once exactly as many leave as there is room for", async () => {
    const { signUp } = serviceWith({ monthly_sends: 3 });
    const { as, inbox } = await signUp();
    const { done, codes } = settled(
      await Promise.allSettled(
        Array.from({ length: 8 }, () =>
          as.messages.send({ inbox_id: inbox.id, to: ["ada@example.com"], text: "Hello" }),
        ),
      ),
    );
    expect(done).toBe(3);
    expect(new Set(codes)).toEqual(new Set(["plan_limit_exceeded"]));
    expect((await as.me.get({})).usage?.monthly_sends).toEqual({ used: 3, limit: 3 });
  });

  test("a scheduled mail is counted when it leaves, and waits when there is no room", async () => {
    const { signUp, clock, work, transport } = serviceWith({ monthly_sends: 1 });
    const { as, inbox } = await signUp();
    const send_at = new Date(clock.now().getTime() + 3600_000).toISOString();
    const mail = { inbox_id: inbox.id, to: ["ada@example.com"], text: "Hello" };
    await as.messages.send({ ...mail, send_at });
    expect((await as.me.get({})).usage?.monthly_sends.used).toBe(0);
    await as.messages.send(mail);
    await work();
    await clock.advance(3600_000);
    await work();
    expect(transport.sent).toHaveLength(1);
    await clock.advance(31 * 24 * 3600_000);
    await work();
    expect(transport.sent).toHaveLength(2);
    expect((await as.me.get({})).usage?.monthly_sends.used).toBe(1);
  });

  test("without plans nothing is counted and `me` names no plan", async () => {
    const { signUp, letterslot } = createTestService();
    const { as, inbox } = await signUp();
    await as.messages.send({ inbox_id: inbox.id, to: to(3), text: "Hello" });
    const me = await as.me.get({});
    expect(me).not.toHaveProperty("plan");
    expect(me).not.toHaveProperty("usage");
    expect(
      await letterslot.services.storage.find("plan_usage", {
        where: { account_id: me.account_id },
        limit: 9,
      }),
    ).toEqual([{ account_id: me.account_id, resource: "inboxes", period: "", used: 1 }]);
  });
});

describe("storage", () => {
  const kilobytes = (count: number) => Buffer.alloc(count * 1024).toString("base64");

  test("a mail or a draft that doesn't fit is refused; what comes in is not", async () => {
    const service = serviceWith({ storage_mb: 1 });
    const { as, inbox } = await service.signUp();
    const attachments = [{ filename: "a.bin", content_base64: kilobytes(900) }];
    await as.messages.send({ inbox_id: inbox.id, to: ["ada@example.com"], text: "Hello", attachments });
    const refused = { quota: { resource: "storage_mb", limit: 1, used: 1 } };
    await expect(
      as.messages.send({ inbox_id: inbox.id, to: ["ada@example.com"], text: "Hello", attachments }),
    ).rejects.toMatchObject(refused);
    await expect(as.drafts.create({ inbox_id: inbox.id, attachments })).rejects.toMatchObject(refused);
    await service.receive({ from: "bo@example.com", to: inbox.email, text: "x".repeat(300_000) });
    expect((await as.messages.list({ inbox_id: inbox.id })).data).toHaveLength(2);
    await expect(
      as.messages.send({ inbox_id: inbox.id, to: ["ada@example.com"], text: "Hello" }),
    ).rejects.toMatchObject({ code: "plan_limit_exceeded", quota: { used: 2 } });
  });

  test("the oldest trash of more than 7 days goes before anything is refused, and no younger one", async () => {
    const service = serviceWith({ storage_mb: 1 });
    const { as, inbox } = await service.signUp();
    const inbox_id = inbox.id;
    const draft = (size: number) =>
      as.drafts.create({ inbox_id, attachments: [{ filename: "a.bin", content_base64: kilobytes(size) }] });
    const trash = async () => (await as.drafts.list({ inbox_id, folder: "trash" })).data.map(({ id }) => id);
    const old = await draft(900);
    await as.drafts.delete({ inbox_id, draft_id: old.id });
    await service.clock.advance(6 * 24 * 3600_000);
    await expect(draft(200)).rejects.toMatchObject({ code: "plan_limit_exceeded" });
    const young = await draft(10);
    await as.drafts.delete({ inbox_id, draft_id: young.id });
    await service.clock.advance(2 * 24 * 3600_000);
    await draft(200);
    expect(await trash()).toEqual([young.id]);
  });
});

test("from 80 percent of a quota on `me` has a notice", async () => {
  const { signUp } = serviceWith({ inboxes: 5 });
  const { as } = await signUp();
  await as.inboxes.createBatch({ count: 2 });
  expect(await as.me.get({})).not.toHaveProperty("notices");
  await as.inboxes.create({});
  const { notices } = await as.me.get({});
  expect(notices).toMatchObject([{ code: "usage_high", resource: "inboxes", used: 4, limit: 5 }]);
  await as.inboxes.create({});
  expect((await as.me.get({})).notices).toMatchObject([{ code: "usage_full", used: 5 }]);
});

describe("sub-accounts", () => {
  const family = async (free: Partial<Plan>) => {
    const service = serviceWith(free);
    const [parent, child] = [await service.signUp("parent"), await service.signUp("child")];
    const { storage } = service.letterslot.services;
    await storage.update("accounts", { id: child.account_id }, { parent_account_id: parent.account_id });
    return { service, parent, child, storage };
  };

  test("their sends and bytes count for the parent, whose use they don't see", async () => {
    const { parent, child, storage } = await family({ monthly_sends: 3, storage_mb: 1 });
    await child.as.messages.send({ inbox_id: child.inbox.id, to: ["a@example.com"], text: "Hello" });
    await parent.as.messages.send({
      inbox_id: parent.inbox.id,
      to: ["a@example.com", "b@example.com"],
      text: "Hi",
    });
    await expect(
      child.as.messages.send({ inbox_id: child.inbox.id, to: ["a@example.com"], text: "Hello" }),
    ).rejects.toMatchObject({ quota: { resource: "monthly_sends", limit: 3, used: 3 } });
    expect((await parent.as.me.get({})).usage?.monthly_sends.used).toBe(3);
    expect(await child.as.me.get({})).not.toHaveProperty("usage");
    const own = await storage.get("accounts", child.account_id);
    const whole = await storage.get("accounts", parent.account_id);
    expect(own?.storage_bytes).toBeGreaterThan(0);
    expect(whole?.sub_account_bytes).toBe(own?.storage_bytes);
  });

  test("their inboxes count for the parent", async () => {
    const { parent, child } = await family({ inboxes: 2 });
    await child.as.inboxes.create({});
    await expect(parent.as.inboxes.create({})).rejects.toMatchObject({ quota: { limit: 2, used: 2 } });
    await expect(child.as.inboxes.create({})).rejects.toMatchObject({ code: "plan_limit_exceeded" });
  });

  test("they are suspended with their parent, and have its plan", async () => {
    const { service, parent, child } = await family({});
    const { accounts } = service.letterslot.operator;
    await accounts.suspend(parent.account_id);
    await expect(child.as.inboxes.list({})).rejects.toMatchObject({ code: "account_suspended" });
    expect((await child.as.me.get({})).restrictions).toEqual(["account_suspended"]);
    await accounts.resume(parent.account_id);
    await child.as.inboxes.list({});
    const named = { message: expect.stringContaining(parent.account_id) };
    await expect(accounts.suspend(child.account_id)).rejects.toMatchObject(named);
    await expect(accounts.setPlan(child.account_id, "pro")).rejects.toMatchObject(named);
  });
});
