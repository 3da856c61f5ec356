import { describe, expect, test } from "vitest";
import { grace, guarded, letterTo, signedIn } from "../../../test/approval-inbox.fixture.ts";
import { createTestService, type TestAccount, type TestService } from "../../../testing/index.ts";
import type { Budget } from "../../model/budgets.ts";

const HOUR = 3600_000;
const DAY = 24 * HOUR;
const ada = "ada@example.org";
const bob = "bob@example.org";
const eve = "eve@example.net";

/** The operations of a new key with a budget, made by another key. */
async function keyed(
  { letterslot }: TestService,
  maker: Pick<TestAccount, "as">,
  budget: Budget | null,
): Promise<{ as: TestAccount["as"]; id: string }> {
  const { api_key, id } = await maker.as.keys.create({ budget });
  return { as: letterslot.as(await letterslot.authenticate(api_key, null)), id };
}

async function opened(budget: Budget | null) {
  const service = createTestService();
  const account = await service.signUp("agent");
  return { service, account, inbox_id: account.inbox.id, key: await keyed(service, account, budget) };
}

const leftOf = async ({ as }: Pick<TestAccount, "as">) => (await as.me.get({})).key?.budget;
const exceeded = (param: string, resets_at: string) => ({ code: "budget_exceeded", param, resets_at });
const TOMORROW = "2026-01-02T00:00:00.000Z";

describe("sends a day", () => {
  test("are recipients, each counted once a mail, until the day is over", async () => {
    const { service, inbox_id, key } = await opened({ sends_per_day: 3 });
    const two = { inbox_id, to: [ada], cc: ["Ada@example.org"], bcc: [bob], text: "x" };
    await key.as.messages.send(two);
    expect(await leftOf(key)).toMatchObject({ sends_per_day: 3, sends_left: 1, resets_at: TOMORROW });
    await expect(key.as.messages.send(two)).rejects.toMatchObject(exceeded("sends_per_day", TOMORROW));
    await key.as.messages.send({ inbox_id, to: [ada], text: "x" });
    const more = { inbox_id, to: [ada], text: "x" };
    await expect(key.as.messages.send(more)).rejects.toMatchObject({ retry_after_seconds: DAY / 1000 });
    await service.clock.advance(DAY);
    await key.as.messages.send(more);
    expect(await leftOf(key)).toMatchObject({ sends_left: 2, resets_at: "2026-01-03T00:00:00.000Z" });
  });

  test("are given back when the send is refused", async () => {
    const { account, inbox_id, key } = await opened({ sends_per_day: 3, new_recipients_per_day: 1 });
    const both = { inbox_id, to: [ada, bob], text: "x" };
    await expect(key.as.messages.send(both)).rejects.toMatchObject(
      exceeded("new_recipients_per_day", TOMORROW),
    );
    await account.as.inboxes.update({ inbox_id, status: "paused" });
    const one = { inbox_id, to: [ada], text: "x" };
    await expect(key.as.messages.send(one)).rejects.toMatchObject({ code: "inbox_paused" });
    expect(await leftOf(key)).toMatchObject({ sends_left: 3, new_recipients_left: 1 });
  });

  test("count once for what is sent again with its client_id or Idempotency-Key", async () => {
    const { inbox_id, key } = await opened({ sends_per_day: 5 });
    const mail = { inbox_id, to: [ada], text: "x" };
    const again = () => key.as.messages.send({ ...mail, client_id: "once" });
    await Promise.all([again(), again(), again()]);
    await again();
    await key.as.messages.send(mail, { idempotencyKey: "once" });
    await key.as.messages.send(mail, { idempotencyKey: "once" });
    expect(await leftOf(key)).toMatchObject({ sends_left: 3 });
  });

  test("count for replies, forwards and replies to tasks", async () => {
    const { service, account, inbox_id, key } = await opened({ sends_per_day: 0 });
    const { results } = await service.receive({ from: ada, to: account.inbox.email, text: "Hello" });
    const message = { inbox_id, message_id: results[0]?.message_id ?? "", text: "x" };
    const refused = exceeded("sends_per_day", TOMORROW);
    await expect(key.as.messages.reply(message)).rejects.toMatchObject(refused);
    await expect(key.as.messages.replyAll(message)).rejects.toMatchObject(refused);
    await expect(key.as.messages.forward({ ...message, to: [bob] })).rejects.toMatchObject(refused);
    expect(service.transport.sent).toEqual([]);
  });

  test("of many calls at once are as many as the budget, and no more", async () => {
    const { inbox_id, key } = await opened({ sends_per_day: 5 });
    const sent = await Promise.allSettled(
      Array.from({ length: 12 }, () => key.as.messages.send({ inbox_id, to: [ada], text: "x" })),
    );
    expect(sent.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    expect(await leftOf(key)).toMatchObject({ sends_left: 0 });
  });
});

describe("new recipients", () => {
  test("are those that the account never wrote to, by whatever key and inbox", async () => {
    const { account, inbox_id, key } = await opened({ new_recipients_per_day: 1 });
    const other = await account.as.inboxes.create({ username: "other" });
    await account.as.messages.send({ inbox_id: other.id, to: [], bcc: ["Ada@Example.org"], text: "x" });
    await key.as.messages.send({ inbox_id, to: [ada], text: "x" });
    expect(await leftOf(key)).toMatchObject({ new_recipients_left: 1, sends_left: null });
    await key.as.messages.send({ inbox_id, to: [ada], cc: [bob], text: "x" });
    await key.as.messages.send({ inbox_id, to: [bob], text: "x" });
    await expect(key.as.messages.send({ inbox_id, to: [eve], text: "x" })).rejects.toMatchObject(
      exceeded("new_recipients_per_day", TOMORROW),
    );
  });

  test("are still known when the mail is deleted, and new to other accounts", async () => {
    const { service, account, inbox_id, key } = await opened({ new_recipients_per_day: 0 });
    const sent = await account.as.messages.send({ inbox_id, to: [ada], text: "x" });
    await service.work();
    await account.as.messages.delete({ inbox_id, message_id: sent.id });
    await key.as.messages.send({ inbox_id, to: [ada], text: "x" });
    const stranger = await service.signUp("stranger");
    const theirs = await keyed(service, stranger, { new_recipients_per_day: 0 });
    await expect(
      theirs.as.messages.send({ inbox_id: stranger.inbox.id, to: [ada], text: "x" }),
    ).rejects.toMatchObject({ code: "budget_exceeded" });
  });

  test("aren't known by what came from them, nor by the service's letters", async () => {
    const { service, account, inbox_id, key } = await opened({ new_recipients_per_day: 0 });
    await service.addOwner(account, grace);
    const { results } = await service.receive({ from: ada, to: account.inbox.email, text: "Hello" });
    const message_id = results[0]?.message_id ?? "";
    await expect(key.as.messages.reply({ inbox_id, message_id, text: "x" })).rejects.toMatchObject({
      param: "new_recipients_per_day",
    });
    await expect(key.as.messages.send({ inbox_id, to: [grace], text: "x" })).rejects.toMatchObject({
      param: "new_recipients_per_day",
    });
  });
});

test("recipients outside the domains are refused", async () => {
  const { inbox_id, key } = await opened({ recipient_domains: ["example.org"] });
  await key.as.messages.send({ inbox_id, to: [ada], text: "x" });
  const outside = { inbox_id, to: [ada], bcc: [eve], text: "x" };
  const refused = { code: "recipient_outside_budget", param: "bcc" };
  await expect(key.as.messages.send(outside)).rejects.toMatchObject(refused);
  const send_at = "2026-01-01T05:00:00Z";
  await expect(key.as.messages.send({ ...outside, send_at })).rejects.toMatchObject(refused);
  await expect(key.as.drafts.create({ ...outside, send_at })).rejects.toMatchObject(refused);
});

test("a key sends within its hours alone", async () => {
  const hours = { from: "09:00", to: "17:00", time_zone: "Europe/Berlin" };
  const { service, inbox_id, key } = await opened({ hours });
  const mail = { inbox_id, to: [ada], text: "x" };
  const opens = "2026-01-01T08:00:00.000Z";
  await expect(key.as.messages.send(mail)).rejects.toMatchObject(exceeded("hours", opens));
  expect(await leftOf(key)).toMatchObject({ hours, opens_at: opens, sends_left: null });
  await service.clock.advance(8 * HOUR);
  await key.as.messages.send(mail);
  expect(await leftOf(key)).toMatchObject({ opens_at: null });
  await expect(key.as.messages.send({ ...mail, send_at: "2026-01-01T16:00:00Z" })).rejects.toMatchObject(
    exceeded("hours", "2026-01-02T08:00:00.000Z"),
  );
});

describe("what leaves later", () => {
  test("counts on the day when it leaves, against the key that asked, and waits when too much does", async () => {
    const { service, inbox_id, key } = await opened({ sends_per_day: 1 });
    const later = { inbox_id, to: [ada], text: "x", send_at: "2026-01-02T05:00:00Z" };
    await key.as.messages.send(later);
    await key.as.messages.send(later);
    expect(await leftOf(key)).toMatchObject({ sends_left: 1 });
    await service.clock.advance(DAY + 5 * HOUR);
    await service.work();
    expect(service.transport.sent).toHaveLength(1);
    expect(await leftOf(key)).toMatchObject({ sends_left: 0 });
    await service.clock.advance(18 * HOUR);
    await service.work();
    expect(service.transport.sent).toHaveLength(1);
    await service.clock.advance(HOUR);
    await service.work();
    expect(service.transport.sent).toHaveLength(2);
  });

  test("after an approval counts against the key that asked", async () => {
    const setting = await guarded();
    const { service, account, inbox_id } = setting;
    const key = await keyed(service, account, { sends_per_day: 1, recipient_domains: ["example.org"] });
    await key.as.messages.send({ inbox_id, to: [ada], text: "x" });
    await service.work();
    expect(await leftOf(key)).toMatchObject({ sends_left: 1 });
    await signedIn(service).approvals.decide({ token: (await letterTo(service)).token, decision: "approve" });
    await service.work();
    expect(await leftOf(key)).toMatchObject({ sends_left: 0 });
    await expect(key.as.messages.send({ inbox_id, to: [ada], text: "y" })).rejects.toMatchObject(
      exceeded("sends_per_day", TOMORROW),
    );
  });

  test("counts against the key that asked last to send it or changed it", async () => {
    const { service, account, inbox_id, key } = await opened({ recipient_domains: ["example.org"] });
    const send_at = "2026-01-01T05:00:00Z";
    const scheduled = await account.as.messages.send({ inbox_id, to: [eve], text: "x", send_at });
    const one = { inbox_id, draft_id: scheduled.id };
    const refused = { code: "recipient_outside_budget" };
    await expect(key.as.drafts.update({ ...one, text: "y" })).rejects.toMatchObject(refused);
    await expect(key.as.drafts.send(one)).rejects.toMatchObject(refused);
    await account.as.drafts.update({ ...one, to: [ada] });
    await key.as.drafts.update({ ...one, text: "y" });
    await account.as.keys.update({ key_id: key.id, budget: { sends_per_day: 0 } });
    await service.clock.advance(5 * HOUR);
    await service.work();
    expect(service.transport.sent).toEqual([]);
    await account.as.drafts.send(one);
    await service.work();
    expect(service.transport.sent).toHaveLength(1);
  });
});

describe("a key that a key with a budget created", () => {
  test("counts for both, whatever its own budget", async () => {
    const { service, inbox_id, key } = await opened({ sends_per_day: 2 });
    const child = await keyed(service, key, { sends_per_day: 100 });
    const grandchild = await keyed(service, child, null);
    const mail = { inbox_id, to: [ada], text: "x" };
    await child.as.messages.send(mail);
    expect(await leftOf(grandchild)).toMatchObject({ sends_left: 1 });
    await grandchild.as.messages.send(mail);
    for (const each of [key, child, grandchild])
      await expect(each.as.messages.send(mail)).rejects.toMatchObject({ code: "budget_exceeded" });
    expect(await leftOf(child)).toMatchObject({ sends_per_day: 100, sends_left: 0 });
  });

  test("keeps its domains and hours, also when the key was revoked", async () => {
    const { service, account, inbox_id, key } = await opened({ recipient_domains: ["example.org"] });
    const child = await keyed(service, key, { recipient_domains: ["example.net"] });
    await account.as.keys.delete({ key_id: key.id });
    for (const to of [ada, eve])
      await expect(child.as.messages.send({ inbox_id, to: [to], text: "x" })).rejects.toMatchObject({
        code: "recipient_outside_budget",
      });
  });
});

test("what is sent in a workspace counts against the key that created it, by whatever key", async () => {
  const { service, key } = await opened({ sends_per_day: 2 });
  const { letterslot } = service;
  const workspace = await key.as.workspaces.create({ name: "Branch", inbox_quota: 1 });
  const first = letterslot.as(await letterslot.authenticate(workspace.api_key ?? "", null));
  const inbox_id = (await first.inboxes.create({ username: "branch" })).id;
  const second = await keyed(service, { as: first }, null);
  const mail = { inbox_id, to: [ada], text: "x" };
  await first.messages.send(mail);
  await second.as.messages.send(mail);
  for (const as of [first, second.as])
    await expect(as.messages.send(mail)).rejects.toMatchObject({ code: "budget_exceeded" });
  expect(await leftOf(key)).toMatchObject({ sends_left: 0 });
});

describe("a budget", () => {
  test("is shown with its key, and null without one", async () => {
    const { account, key } = await opened({ sends_per_day: 3, recipient_domains: ["Example.ORG"] });
    const budget = { sends_per_day: 3, recipient_domains: ["example.org"] };
    expect(await account.as.keys.get({ key_id: key.id })).toMatchObject({ budget });
    expect((await account.as.keys.list({})).data.map((row) => row.budget)).toEqual([budget, null]);
    expect(await leftOf(account)).toBeNull();
  });

  test("is replaced and ended by the key that created it, but not by the key itself or one below it", async () => {
    const { service, account, inbox_id, key } = await opened({ sends_per_day: 0 });
    const child = await keyed(service, key, null);
    const sibling = await keyed(service, account, { sends_per_day: 1 });
    const denied = { code: "permission_denied" };
    const lifted = { key_id: key.id, budget: null };
    for (const each of [key, child, sibling])
      await expect(each.as.keys.update(lifted)).rejects.toMatchObject(denied);
    await key.as.keys.update({ key_id: key.id, name: "Renamed" });
    const budget = { new_recipients_per_day: 5 };
    expect(await account.as.keys.update({ key_id: key.id, budget })).toMatchObject({
      budget,
      name: "Renamed",
    });
    expect(await account.as.keys.update(lifted)).toMatchObject({ budget: null });
    await key.as.messages.send({ inbox_id, to: [ada], text: "x" });
  });

  test("is changed by an account owner, but not by the owner of an inbox", async () => {
    const { service, account, key } = await opened({ sends_per_day: 0 });
    const { account_id, inbox } = account;
    const { authority } = service.letterslot.operator.accounts;
    await authority.give({ account_id, email: grace });
    await authority.give({ account_id, email: "heidi@example.com", inbox_id: inbox.id });
    const change = { key_id: key.id, budget: { sends_per_day: 9 } };
    const heidi = service.letterslot.asOwner({ email: "heidi@example.com", account_id });
    await expect(heidi.keys.update(change)).rejects.toMatchObject({ code: "permission_denied" });
    const owner = service.letterslot.asOwner({ email: grace, account_id });
    expect(await owner.keys.update(change)).toMatchObject({ budget: { sends_per_day: 9 } });
  });

  test("can be given to an account's first key", async () => {
    const { letterslot } = createTestService();
    const made = await letterslot
      .as({ type: "public", ip: null })
      .keys.create({ budget: { sends_per_day: 1 } });
    const as = letterslot.as(await letterslot.authenticate(made.api_key, null));
    await expect(as.keys.update({ key_id: made.id, budget: null })).rejects.toMatchObject({
      code: "permission_denied",
    });
  });

  const hours = { from: "09:00", to: "17:00", time_zone: "UTC" };
  test.each<[string, object]>([
    ["budget", {}],
    ["budget.sends_per_day", { sends_per_day: -1 }],
    ["budget.sends_per_day", { sends_per_day: 1.5 }],
    ["budget.sends_per_day", { sends_per_day: 1_000_001 }],
    ["budget.new_recipients_per_day", { new_recipients_per_day: 1_000_001 }],
    ["budget.recipient_domains", { recipient_domains: [] }],
    [
      "budget.recipient_domains",
      { recipient_domains: Array.from({ length: 101 }, (_, i) => `d${i}.example`) },
    ],
    ["budget.recipient_domains.0", { recipient_domains: ["ada@example.com"] }],
    ["budget.recipient_domains.0", { recipient_domains: ["com"] }],
    ["budget.hours", { hours: { ...hours, to: "09:00" } }],
    ["budget.hours.from", { hours: { ...hours, from: "9:00" } }],
    ["budget.hours.to", { hours: { ...hours, to: "24:00" } }],
    ["budget.hours.time_zone", { hours: { ...hours, time_zone: "Mars/Olympus" } }],
    ["budget.hours.time_zone", { hours: { ...hours, time_zone: "+01:00" } }],
    ["budget.hours.time_zone", { hours: { ...hours, time_zone: "a".repeat(65) } }],
  ])("with a wrong %s is refused: %j", async (param, budget) => {
    const { account } = await opened(null);
    await expect(account.as.keys.create({ budget })).rejects.toMatchObject({
      code: "invalid_request",
      param,
    });
  });

  test("with an unknown limit is refused, and a change of nothing", async () => {
    const { account, key } = await opened(null);
    const unknown = { sends_per_month: 1 } as Budget;
    await expect(account.as.keys.create({ budget: unknown })).rejects.toMatchObject({
      code: "unknown_parameter",
    });
    await expect(account.as.keys.update({ key_id: key.id })).rejects.toMatchObject({
      code: "missing_change",
    });
  });
});

test("what a person does, and the service's own letters, count against no key", async () => {
  const { service, account, inbox_id, key } = await opened({ sends_per_day: 1 });
  await service.addOwner(account, grace);
  const { account_id } = account;
  await service.letterslot.operator.accounts.authority.give({ account_id, email: grace });
  await key.as.updates.create({ inbox_id, kind: "done", text: "All is well." });
  const owner = service.letterslot.asOwner({ email: grace, account_id });
  const send_at = "2026-01-01T05:00:00Z";
  const draft = await key.as.drafts.create({ inbox_id, to: [ada], text: "x" });
  await owner.drafts.update({ inbox_id, draft_id: draft.id, send_at });
  await service.clock.advance(5 * HOUR);
  await service.work();
  expect(service.transport.sent.some(({ envelope }) => envelope.rcpt_to.includes(ada))).toBe(true);
  expect(await leftOf(key)).toMatchObject({ sends_left: 1 });
});
