import { describe, expect, test } from "vitest";
import { createTestService } from "../../../testing/service.ts";
import { LIMITS } from "../../catalogue/limits.ts";

const hour = 3600_000;
const day = 24 * hour;

const open = async () => {
  const service = createTestService();
  const account = await service.signUp();
  const mail = (to = account.inbox.email) =>
    service.receive({ from: "ada@sender.example", to, subject: "Hello" });
  return { service, account, mail, metrics: account.as.metrics };
};

describe("event metrics", () => {
  test("count by hour and by day", async () => {
    const { service, metrics, mail } = await open();
    await mail();
    await mail();
    await service.clock.advance(hour);
    await mail();
    await service.clock.advance(day);
    await mail();
    const hours = await metrics.events({
      period: "hour",
      from: "2026-01-01T00:00:00Z",
      to: "2026-01-01T03:00:00Z",
    });
    expect(hours).toMatchObject({ object: "metrics", period: "hour" });
    expect(hours.data.map(({ bucket_start, counts }) => [bucket_start, counts["message.received"]])).toEqual([
      ["2026-01-01T00:00:00.000Z", 2],
      ["2026-01-01T01:00:00.000Z", 1],
      ["2026-01-01T02:00:00.000Z", undefined],
    ]);
    const days = await metrics.events({ from: "2026-01-01T00:00:00Z" });
    expect(days.data.map(({ bucket_start, counts }) => [bucket_start, counts["message.received"]])).toEqual([
      ["2026-01-01T00:00:00.000Z", 3],
      ["2026-01-02T00:00:00.000Z", 1],
    ]);
  });

  test("count concurrent events", async () => {
    const { metrics, mail } = await open();
    await Promise.all(Array.from({ length: 20 }, () => mail()));
    const { data } = await metrics.events({
      period: "hour",
      from: "2026-01-01T00:00:00Z",
      to: "2026-01-01T01:00:00Z",
    });
    expect(data[0]?.counts["message.received"]).toBe(20);
  });

  test("show dropped mail, which nobody is notified of", async () => {
    const { service, metrics, mail, account } = await open();
    const inbox_id = account.inbox.id;
    await account.as.lists.create({ direction: "receive", type: "block", entry: "sender.example" });
    await mail();
    await account.as.inboxes.update({ inbox_id, status: "paused" });
    const reports = await Promise.all([mail(), mail()]);
    expect(reports.map(({ results }) => results[0]?.reason)).toEqual(["inbox_paused", "inbox_paused"]);
    const { data } = await metrics.events({ from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" });
    expect(data[0]?.counts).toMatchObject({ "inbound.dropped": 3, "message.blocked": 1 });
    expect(data[0]?.counts).not.toHaveProperty("message.received");
    const stranger = await service.signUp("stranger");
    const theirs = await stranger.as.metrics.events({
      from: "2026-01-01T00:00:00Z",
      to: "2026-01-02T00:00:00Z",
    });
    expect(theirs.data[0]?.counts).not.toHaveProperty("inbound.dropped");
  });

  test("are kept for 90 days, which limits the range", async () => {
    const { service, metrics, mail, account } = await open();
    await mail();
    await service.clock.advance(LIMITS.metrics_range_ms);
    await service.letterslot.sweep();
    const { data } = await metrics.events({ from: "2026-01-01T00:00:00Z" });
    expect(data[0]?.counts["message.received"]).toBe(1);
    for (const asked of [{ from: "2025-12-31T23:59:59Z" }, { from: "2030-01-01T00:00:00Z" }])
      await expect(metrics.events(asked)).rejects.toMatchObject({ code: "invalid_range", param: "from" });
    await expect(metrics.rates({ from: "2025-12-01T00:00:00Z" })).rejects.toMatchObject({
      code: "invalid_range",
    });
    await service.clock.advance(2 * day);
    await service.letterslot.sweep();
    const { storage } = service.letterslot.services;
    const left = await storage.find("metric_counts", {
      where: { account_id: account.account_id },
      limit: 100,
    });
    expect(left.filter(({ starts_at }) => starts_at < "2026-01-02")).toEqual([]);
  });

  test("are forbidden for a key limited to one inbox", async () => {
    const { service, account } = await open();
    const { api_key } = await account.as.keys.create({ inbox_id: account.inbox.id });
    const scoped = service.letterslot.as(await service.letterslot.authenticate(api_key, null)).metrics;
    await expect(scoped.events({})).rejects.toMatchObject({ code: "permission_denied" });
  });
});

test("usage is what the account has now", async () => {
  const { metrics, mail, account, service } = await open();
  const second = await account.as.inboxes.create({ username: "second" });
  for (const to of [account.inbox.email, account.inbox.email, second.email]) await mail(to);
  await service.signUp("stranger");
  expect(await metrics.usage({})).toMatchObject({ object: "usage", inboxes: 2, messages: 3, webhooks: 0 });
});

test("rates are shares of what was sent", async () => {
  const { metrics, account, service } = await open();
  const { storage } = service.letterslot.services;
  const { account_id } = account;
  await storage.insert("sending_days", {
    account_id,
    day: "2025-12-31",
    sent: 150,
    bounced: 8,
    complained: 1,
  });
  await storage.insert("sending_days", {
    account_id,
    day: "2026-01-01",
    sent: 50,
    bounced: 2,
    complained: 0,
  });
  expect(await metrics.rates({})).toMatchObject({
    object: "rates",
    sent: 200,
    bounced: 10,
    complained: 1,
    bounce_rate: 0.05,
    complaint_rate: 0.005,
  });
  const today = await metrics.rates({ from: "2026-01-01T00:00:00Z", to: "2026-01-01T12:00:00Z" });
  expect(today).toMatchObject({ sent: 50, bounced: 2 });
  expect(await (await service.signUp("stranger")).as.metrics.rates({})).toMatchObject({
    sent: 0,
    bounce_rate: 0,
  });
});
