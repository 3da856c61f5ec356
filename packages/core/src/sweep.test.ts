import { describe, expect, test, vi } from "vitest";
import { createManualClock } from "../testing/manual-clock.ts";
import { createMemoryBlobs } from "../testing/memory-blobs.ts";
import { createTestService } from "../testing/service.ts";
import { fail } from "./catalogue/errors.ts";
import { LIMITS } from "./catalogue/limits.ts";
import type { TableName } from "./model/tables.ts";
import type { Blobs } from "./ports/blobs.ts";

const day = 24 * 3600_000;

const open = async () => {
  const service = createTestService();
  const account = await service.signUp();
  const { storage } = service.letterslot.services;
  const count = (table: TableName) => storage.count(table, {}, 10_000);
  const sweep = async () => {
    await service.letterslot.sweep();
    await service.work();
  };
  return { service, account, storage, count, sweep };
};

describe("a sweep", () => {
  test("deletes deliveries after 7 days and events after 30, and not before", async () => {
    const { service, account, count, sweep } = await open();
    await account.as.webhooks.create({ url: "https://receiver.example.com/", events: ["message.received"] });
    await service.receive({ from: "ada@sender.example", to: account.inbox.email });
    await service.work();
    const events = await count("events");
    expect([await count("deliveries"), events > 0]).toEqual([1, true]);

    await service.clock.advance(7 * day);
    await sweep();
    expect(await count("deliveries")).toBe(1);
    await service.clock.advance(1);
    await sweep();
    expect([await count("deliveries"), await count("events")]).toEqual([0, events]);

    await service.clock.advance(23 * day);
    await sweep();
    expect(await count("events")).toBe(0);
  });

  test("deletes counters, places and idempotency keys at their end, and keeps those that live", async () => {
    const { service, storage, sweep, count } = await open();
    const now = service.clock.now().getTime();
    const before = await count("counters");
    const at = (milliseconds: number) => new Date(now + milliseconds).toISOString();
    const key = { account_id: "acct_1", fingerprint: "f", response: {} };
    for (const [name, expires_at] of [
      ["over", at(1000)],
      ["alive", at(365 * day)],
    ] as const) {
      await storage.insert("counters", { name, count: 1, expires_at });
      await storage.insert("slots", { name, holder: "somebody", expires_at });
      await storage.insert("idempotency", { ...key, key: name, expires_at });
    }
    await service.clock.advance(1000);
    await sweep();
    expect(await count("counters")).toBe(before + 1);
    expect(await storage.find("slots", { where: {}, limit: 10 })).toMatchObject([{ name: "alive" }]);
    expect(await storage.find("idempotency", { where: {}, limit: 10 })).toMatchObject([{ key: "alive" }]);
  });

  test("deletes more than one step holds", async () => {
    const { service, storage, count, sweep } = await open();
    const expires_at = service.clock.now().toISOString();
    for (let place = 0; place < 1200; place++)
      await storage.insert("slots", { name: `slot:${place}`, holder: "somebody", expires_at });
    await sweep();
    expect(await count("slots")).toBe(0);
  });

  test("reads no more rows of an account's metrics in a statement than it found", async () => {
    const { service, account, storage, count, sweep } = await open();
    const now = service.clock.now().getTime();
    for (let hour = 0; hour < 1100; hour += 1) {
      const starts_at = new Date(now - LIMITS.metrics_kept_ms - (hour + 1) * 3600_000).toISOString();
      const row = { account_id: account.account_id, name: "message.received" as const, count: 1 };
      await storage.insert("metric_counts", { ...row, bucket: `hour:${starts_at.slice(0, 13)}`, starts_at });
    }
    const deleted: number[] = [];
    const { delete: drop } = storage;
    vi.spyOn(storage, "delete").mockImplementation(async (...by) => {
      const dropped = await drop.apply(storage, by);
      if (by[0] === "metric_counts") deleted.push(dropped);
      return dropped;
    });
    const live = (await count("metric_counts")) - 1100;
    await sweep();
    expect(await count("metric_counts")).toBe(live);
    expect(Math.max(...deleted)).toBeLessThanOrEqual(500);
  });

  test("deletes an inbox that expired more than 7 days ago, with its mail, and leaves others alone", async () => {
    const { service, account, storage, sweep } = await open();
    const expires_at = new Date(service.clock.now().getTime() + day).toISOString();
    const short = await account.as.inboxes.create({ username: "short", expires_at });
    await service.receive({ from: "ada@sender.example", to: short.email });
    await service.receive({ from: "ada@sender.example", to: account.inbox.email });
    await service.clock.advance(day + LIMITS.expired_inbox_kept_ms);
    await sweep();
    expect(await storage.get("inboxes", short.id)).toBeDefined();
    await service.clock.advance(1);
    await sweep();
    expect(await storage.get("inboxes", short.id)).toBeUndefined();
    const left = await storage.find("messages", { where: {}, limit: 10 });
    expect(left.map(({ inbox_id }) => inbox_id)).toEqual([account.inbox.id]);
  });

  test("gives an expired inbox one purge job, however often it is found", async () => {
    const { service, account, storage, count } = await open();
    await account.as.inboxes.update({
      inbox_id: account.inbox.id,
      expires_at: new Date(service.clock.now().getTime() + day).toISOString(),
    });
    await service.clock.advance(9 * day);
    await service.work();
    await service.letterslot.sweep();
    await service.letterslot.sweep();
    const jobs = await storage.find("jobs", { where: {}, limit: 10 });
    expect(jobs.filter(({ kind }) => kind === "inbox.purge")).toHaveLength(1);
    expect(await count("inboxes")).toBe(1);
  });

  test("has the blobs sweep what they left elsewhere, after everything else", async () => {
    let swept = 0;
    const blobs: Blobs = {
      ...createMemoryBlobs(createManualClock()),
      async sweep() {
        swept++;
        throw fail("storage_unavailable");
      },
    };
    const service = createTestService({ blobs });
    const { storage } = service.letterslot.services;
    await storage.insert("counters", { name: "over", count: 1, expires_at: "2025-01-01T00:00:00.000Z" });
    await expect(service.letterslot.sweep()).rejects.toMatchObject({ code: "storage_unavailable" });
    expect(swept).toBe(1);
    expect(await storage.get("counters", "over")).toBeUndefined();
  });
});
