import { join } from "node:path";
import type { Transaction } from "@letterslot/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../test/temporary-folder.ts";
import { createSqliteStorage, type SqliteStorage } from "./sqlite-storage.ts";

let remove: () => Promise<void>;
let storage: SqliteStorage;

beforeEach(async () => {
  const { folder, remove: removeFolder } = await temporaryFolder();
  remove = removeFolder;
  storage = createSqliteStorage({ path: join(folder, "mail.db"), exclusive: true });
});

afterEach(async () => {
  await storage.close();
  await remove();
});

const counts = (name: string, count: number) => ({
  account_id: "acct_1",
  name: name as "message.received",
  bucket: "day:2026-11-24",
  starts_at: "2026-11-24T00:00:00.000Z",
  count,
});
const addTo = (tx: Transaction, name: string, count = 1) =>
  tx.addUp?.("metric_counts", "count", [counts(name, count)]);
const ALL = { where: { account_id: "acct_1" }, limit: 9 };
async function stored(): Promise<Record<string, number>> {
  const found = await storage.find("metric_counts", ALL);
  return Object.fromEntries(found.map(({ name, count }) => [name, count]));
}

test("what transactions add is added up, beside those that fail before and after a first failure", async () => {
  const add = (name: string, fails = false) =>
    storage.transaction(async (tx) => {
      addTo(tx, name, 2);
      addTo(tx, "all");
      tx.append("jobs", [{ ...JOB, id: `job_${name}` }]);
      if (fails) throw new Error("no");
    });
  for (let round = 0; round < 2; round++) {
    const outcomes = await Promise.allSettled([
      add(`a${round}`),
      add("bad", true),
      add(`b${round}`),
      add("bad", true),
      add(`c${round}`),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
  }
  expect(await stored()).toEqual({ a0: 2, b0: 2, c0: 2, a1: 2, b1: 2, c1: 2, all: 6 });
});

test("whoever reads or changes the table meanwhile sees what was added before", async () => {
  const seen: unknown[] = [];
  const [, , , deleted] = await Promise.all([
    storage.transaction(async (tx) => addTo(tx, "a")),
    storage.transaction(async (tx) => {
      addTo(tx, "a");
      seen.push(await tx.update("metric_counts", { name: "a" }, { count: { add: 10 } }));
      addTo(tx, "a");
      seen.push(await tx.count("metric_counts", { count: 13 }, 9));
    }),
    storage.transaction(async (tx) => addTo(tx, "b")),
    storage.delete("metric_counts", { name: "b" }),
    storage.transaction(async (tx) => addTo(tx, "b", 5)),
    storage.write((connection) => {
      seen.push(connection.row('select "count" from "metric_counts" where "name" = ?', "b"));
    }),
  ]);
  expect(deleted).toBe(1);
  expect(seen).toEqual([[counts("a", 12)], 1, { count: 5 }]);
  expect(await stored()).toEqual({ a: 13, b: 5 });
});

test("what a transaction has written before it fails is not added, and what others added is", async () => {
  const failing = (name: string) =>
    storage.transaction(async (tx) => {
      addTo(tx, name);
      await tx.find("metric_counts", ALL);
      throw new Error("no");
    });
  for (let round = 0; round < 2; round++)
    await Promise.allSettled([
      storage.transaction(async (tx) => addTo(tx, "a")),
      failing("bad"),
      storage.transaction(async (tx) => addTo(tx, "b")),
      failing("a"),
    ]);
  expect(await stored()).toEqual({ a: 2, b: 2 });
});

test("a cached read of the table is read anew", async () => {
  const before = storage.version?.(["metric_counts"]) ?? 0;
  await storage.transaction(async (tx) => addTo(tx, "a"));
  expect(storage.version?.(["metric_counts"])).toBeGreaterThan(before);
});

test("a transaction that has ended adds nothing", async () => {
  let late: Transaction | undefined;
  await storage.transaction(async (tx) => {
    late = tx;
  });
  expect(() => late && addTo(late, "a")).toThrow("the transaction has ended");
  expect(await stored()).toEqual({});
});

const JOB = {
  kind: "webhook.deliver" as const,
  subject_id: "s",
  payload: {},
  due_at: "2026-11-24T00:00:00.000Z",
  attempts: 0,
  lease: null,
  created_at: "2026-11-24T00:00:00.000Z",
};
