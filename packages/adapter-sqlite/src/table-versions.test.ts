import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Transaction } from "@letterslot/core/ports";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSqliteBlobs } from "./sqlite-blobs.ts";
import { createSqliteStorage, type SqliteStorage } from "./sqlite-storage.ts";

let folder: string;
let storage: SqliteStorage;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "letterslot-versions-"));
  storage = createSqliteStorage({ path: join(folder, "letterslot.db"), exclusive: true });
});
afterEach(async () => {
  await storage.close();
  rmSync(folder, { recursive: true, force: true });
});

const versions = () => ({
  counters: storage.version?.(["counters"]),
  slots: storage.version?.(["slots"]),
  both: storage.version?.(["counters", "slots"]),
});
const counter = (name: string) => ({ name, count: 1, expires_at: "2026-11-20T00:00:00.000Z" });

test.each<[string, () => Promise<unknown>]>([
  ["an insert", () => storage.insert("counters", counter("b"))],
  ["an update", () => storage.update("counters", { name: "a" }, { count: 2 })],
  ["a delete", () => storage.delete("counters", { name: "a" })],
  ["an insert within a transaction", () => within((tx) => tx.insert("counters", counter("b")))],
  ["an update within one", () => within((tx) => tx.update("counters", { name: "a" }, { count: 2 }))],
  ["a delete within one", () => within((tx) => tx.delete("counters", { name: "a" }))],
  ["a record appended within one", () => within(async (tx) => tx.append("counters", [counter("b")]))],
])("%s changes the version of its table alone", async (_, change) => {
  await storage.insert("counters", counter("a"));
  const before = versions();
  await change();
  const after = versions();
  expect(after.slots).toBe(before.slots);
  expect(after.counters).toBeGreaterThan(before.counters ?? 0);
  expect(after.both).toBeGreaterThan(before.both ?? 0);
});

test("a read changes no version, nor does a transaction that only reads", async () => {
  const before = versions();
  await storage.find("counters", { where: { name: "a" }, limit: 1 });
  await within((tx) => tx.find("counters", { where: { name: "a" }, limit: 1 }));
  expect(versions()).toEqual(before);
});

test("a version changes with the commit, and not before", async () => {
  const before = versions();
  let within_transaction: unknown;
  await within(async (tx) => {
    await tx.insert("counters", counter("a"));
    within_transaction = versions();
  });
  expect(within_transaction).toEqual(before);
  expect(versions()).not.toEqual(before);
});

test("what an adapter writes by itself may have changed any table", async () => {
  const before = versions();
  await createSqliteBlobs({ storage, folder: join(folder, "blobs") }).put(Buffer.from("x"));
  expect(versions().slots).toBeGreaterThan(before.slots ?? 0);
});

const within = (run: (tx: Transaction) => Promise<unknown>) => storage.transaction(run);

test("what a transaction changed shows outside only once it is committed, whatever is read", async () => {
  await storage.insert("counters", counter("before"));
  const names = async (where: { name?: string | { in: string[] } }) =>
    (await storage.find("counters", { where, limit: 10 })).map(({ name, count }) => [name, count]);
  const outside = () =>
    Promise.all([
      names({ name: "a" }),
      names({ name: { in: ["b", "before"] } }),
      names({ name: "before" }),
      names({}),
    ]);
  const middle = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const transaction = within(async (tx) => {
    await tx.insert("counters", counter("a"));
    tx.append("counters", [counter("b")]);
    await tx.update("counters", { name: "before" }, { count: 2 });
    middle.resolve();
    await end.promise;
  });
  await middle.promise;
  expect(await outside()).toEqual([[], [["before", 1]], [["before", 1]], [["before", 1]]]);
  end.resolve();
  await transaction;
  expect((await outside())[3]).toEqual([
    ["a", 1],
    ["b", 1],
    ["before", 2],
  ]);
});
