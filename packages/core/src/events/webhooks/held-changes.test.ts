import { beforeEach, describe, expect, test } from "vitest";
import { createTestService, type TestAccount, type TestService } from "../../../testing/index.ts";

const grace = "grace@example.com";
const url = "https://hooks.evil.example/take?all=1";
let service: TestService;
let account: TestAccount;

const here = () => ({ inbox_id: account.inbox.id });
const hooks = () => account.as.webhooks;
const person = (email = grace) =>
  service.letterslot.as({
    ...{ type: "owner", email, account_owner: true, session_id: null },
    ...{ account_id: account.account_id, permissions: null, inbox_ids: null, ip: null },
  });

async function decide(approval_id: string, decision: "approve" | "reject", email = grace) {
  const { digest } = await account.as.approvals.get({ approval_id });
  return service.letterslot
    .asOwner({ email, account_id: "" })
    .approvals.decideInSession({ approval_id, digest, decision });
}

beforeEach(async () => {
  service = createTestService();
  account = await service.signUp();
  await service.addOwner(account, grace);
});

const guard = (more: Parameters<typeof account.as.inboxes.update>[0] | object = { send_mode: "guarded" }) =>
  account.as.inboxes.update({ ...here(), ...more });

describe("a new webhook", () => {
  test.each([
    ["guarded", { send_mode: "guarded" }],
    ["approval", { send_mode: "approval" }],
    ["a policy that asks", { outbound: { content: "approve" } }],
    ["release by an authority", { release_by: "authority" }],
  ])("waits for a person where an inbox has %s", async (_what, settings) => {
    await guard(settings);
    const asked = await hooks().create({ url, headers: { Authorization: "Bearer hidden" } });
    expect(asked).toMatchObject({ object: "approval", subject_type: "webhook_change", status: "pending" });
    expect((await hooks().list({})).data).toEqual([]);
    if (asked.object !== "approval") return;
    expect(asked.summary).toContain("hooks.evil.example");
    expect(JSON.stringify(asked)).not.toContain("Bearer hidden");
    await decide(asked.id, "approve");
    expect((await hooks().list({})).data).toMatchObject([
      { url, enabled: true, headers: { Authorization: "[redacted]" } },
    ]);
    await service.receive({ from: "ada@example.org", to: account.inbox.email, subject: "Hi" });
    await service.work();
    expect(service.receivers.posted[0]).toMatchObject({ url, headers: { Authorization: "Bearer hidden" } });
  });

  test("is made at once where all inboxes are direct, and where it reaches direct ones alone", async () => {
    expect(await hooks().create({ url })).toMatchObject({ object: "webhook" });
    const other = await account.as.inboxes.create({});
    await guard();
    expect(await hooks().create({ url, inbox_id: other.id })).toMatchObject({ object: "webhook" });
    expect(await hooks().create({ url, inbox_ids: [other.id, account.inbox.id] })).toMatchObject({
      object: "approval",
    });
  });

  test("is asked for once, and again only for another address, header or secret", async () => {
    await guard();
    const first = await hooks().create({ url, client_id: "mine" });
    expect((await hooks().create({ url, client_id: "mine" })).id).toBe(first.id);
    const others = [
      await hooks().create({ url: `${url}2`, client_id: "mine" }),
      await hooks().create({ url, headers: { "X-A": "b" }, client_id: "mine" }),
      await hooks().create({ url, headers: { "X-A": "c" }, client_id: "mine" }),
    ];
    expect(new Set([first, ...others].map(({ id }) => id)).size).toBe(4);
  });

  test("that was rejected isn't made, nor asked for again that day", async () => {
    await guard();
    const asked = await hooks().create({ url });
    await decide(asked.id, "reject");
    expect((await hooks().list({})).data).toEqual([]);
    await expect(hooks().create({ url })).rejects.toMatchObject({ code: "approval_rejected" });
  });

  test("of several inboxes is for account owners alone; of one inbox its own authority decides", async () => {
    const lea = "lea@example.org";
    await service.addOwner(account, lea);
    const { storage } = service.letterslot.services;
    await storage.insert("authorities", {
      ...{ id: "aut_lea", account_id: account.account_id, inbox_id: account.inbox.id, email: lea },
      ...{ since: service.clock.now().toISOString(), given_by: grace, passkeys_off_at: null },
    });
    await guard();
    const all = await hooks().create({ url });
    await expect(decide(all.id, "approve", lea)).rejects.toMatchObject({ kind: "not_found" });
    const one = await hooks().create({ url, ...here() });
    await decide(one.id, "approve", lea);
    expect((await hooks().list({})).data).toMatchObject([{ inbox_id: account.inbox.id }]);
  });

  test("by a person in charge is made at once, and recorded as their decision", async () => {
    await guard();
    expect(await person().webhooks.create({ url })).toMatchObject({ object: "webhook" });
    expect((await account.as.approvals.list({})).data).toMatchObject([
      { subject_type: "webhook_change", status: "approved", decided_by: { email: grace } },
    ]);
  });

  test("beyond the limit isn't asked for", async () => {
    await guard();
    const other = await account.as.inboxes.create({});
    await person().inboxes.update({ inbox_id: other.id, send_mode: "direct", release_by: "key" });
    for (let at = 0; at < 50; at++) await hooks().create({ url, inbox_id: other.id });
    await expect(hooks().create({ url })).rejects.toMatchObject({ code: "webhook_limit" });
    expect((await account.as.approvals.list({ status: "pending" })).data).toEqual([]);
  });
});

describe("a webhook that was there before", () => {
  const made = async () => {
    const hook = await hooks().create({ url: "https://hooks.example.com/a", ...here() });
    await guard();
    return hook.id;
  };

  test.each([
    ["address", { url }],
    ["header", { headers: { "X-A": "b" } }],
    ["inboxes", { inbox_ids: [] }],
  ])("keeps its %s until a person approves another", async (_what, change) => {
    const webhook_id = await made();
    const before = await hooks().get({ webhook_id });
    const asked = await hooks().update({ webhook_id, ...change });
    expect(asked).toMatchObject({ object: "approval", subject_id: webhook_id });
    expect(await hooks().get({ webhook_id })).toEqual(before);
    await decide(asked.id, "approve");
    const { headers: _values, ...shown } = change as { headers?: object };
    expect(await hooks().get({ webhook_id })).toMatchObject(shown);
    expect(await hooks().get({ webhook_id })).not.toEqual(before);
  });

  test("is changed at once in everything else", async () => {
    const webhook_id = await made();
    for (const change of [
      { events: ["message.received" as const] },
      { enabled: false },
      { secret: "another long secret" },
      { url: "https://hooks.example.com/a" },
      { headers: null },
    ])
      expect(await hooks().update({ webhook_id, ...change })).toMatchObject({ object: "webhook" });
  });

  test("changes nothing at all when something else is asked for with it", async () => {
    const webhook_id = await made();
    await expect(hooks().update({ webhook_id, url, enabled: false })).rejects.toMatchObject({
      code: "invalid_request",
      param: "url",
    });
    expect(await hooks().get({ webhook_id })).toMatchObject({ enabled: true });
    expect((await account.as.approvals.list({ status: "pending" })).data).toEqual([]);
  });

  test("ends the request when it is deleted", async () => {
    const webhook_id = await made();
    const { id } = await hooks().update({ webhook_id, url });
    await hooks().delete({ webhook_id });
    expect(await account.as.approvals.get({ approval_id: id })).toMatchObject({ status: "cancelled" });
  });
});

test("what is asked about a webhook ends once its way out is another", async () => {
  const other = await account.as.inboxes.create({});
  const made = await hooks().create({ url: "https://hooks.example.com/a", inbox_id: other.id });
  await guard();
  const elsewhere = await hooks().update({
    webhook_id: made.id,
    url,
    inbox_ids: [other.id, account.inbox.id],
  });
  const wider = await hooks().update({ webhook_id: made.id, inbox_ids: [other.id, account.inbox.id] });
  await decide(wider.id, "approve");
  expect(await account.as.approvals.get({ approval_id: elsewhere.id })).toMatchObject({
    status: "cancelled",
  });
  await expect(decide(elsewhere.id, "approve")).rejects.toMatchObject({ code: "approval_closed" });
  expect((await hooks().list({})).data).toMatchObject([{ url: "https://hooks.example.com/a" }]);
});

test("one inbox that asks for a passkey makes a person's change of a webhook of several wait for it", async () => {
  const other = await account.as.inboxes.create({});
  await guard();
  const { storage } = service.letterslot.services;
  await storage.update("inboxes", { id: other.id }, { approve_with: "passkey" });
  const inbox_ids = [account.inbox.id, other.id];
  expect(await person().webhooks.create({ url, inbox_ids })).toMatchObject({ object: "approval" });
  expect(await person().webhooks.create({ url })).toMatchObject({ object: "approval" });
});
