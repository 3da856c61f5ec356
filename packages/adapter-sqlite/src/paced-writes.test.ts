import { join } from "node:path";
import type { SearchDocument } from "@letterslot/core/ports";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../test/temporary-folder.ts";
import { createSqliteStorage, type SqliteStorage } from "./sqlite-storage.ts";

/** Enough writes to take several times a transaction's turn of the event loop, on any machine. */
const MANY = 20_000;
const MANY_DOCUMENTS = 5_000;
const EXPIRES = { expires_at: "2026-01-01T00:00:00.000Z" };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let storage: SqliteStorage;
beforeEach(async () => {
  folder = await temporaryFolder();
  storage = createSqliteStorage({ path: join(folder.folder, "mail.db") });
});
afterEach(async () => {
  await storage.close();
  await folder.remove();
});

const counters = (count: number, name = "counter") =>
  Array.from({ length: count }, (_, number) => ({ name: `${name} ${number}`, count: 1, ...EXPIRES }));
const stored = () => storage.count("counters", {}, 3 * MANY);

/** Counts the turns that the event loop has until the work is done. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let working = true;
  const count = () => {
    turns += 1;
    if (working) setImmediate(count);
  };
  setImmediate(count);
  await work();
  working = false;
  return turns;
}

test("a transaction of very many writes leaves turns to others, and is read only when it is whole", async () => {
  const seen = new Set<number>();
  const turns = await turnsOf(async () => {
    let writing = true;
    const write = storage
      .transaction(async (tx) => tx.append("counters", counters(MANY)))
      .finally(() => {
        writing = false;
      });
    while (writing) {
      seen.add(await stored());
      await new Promise((resolve) => setImmediate(resolve));
    }
    await write;
  });
  expect(turns).toBeGreaterThan(5);
  expect([...seen].filter((count) => count !== MANY)).toEqual([0]);
  expect(await stored()).toBe(MANY);
});

test("what a transaction does behind very many writes sees all of them, in the order in which it was asked", async () => {
  await storage.transaction(async (tx) => {
    tx.append("counters", counters(MANY));
    const first = tx.count("counters", {}, 3 * MANY);
    tx.append("counters", counters(MANY, "more"));
    const second = tx.count("counters", {}, 3 * MANY);
    const deleted = tx.delete("counters", { name: { gte: "more" } });
    expect(await Promise.all([first, second, deleted])).toEqual([MANY, 2 * MANY, MANY]);
  });
  expect(await stored()).toBe(MANY);
});

test("a transaction that fails behind very many writes stores none, and the next one is whole", async () => {
  const broken = new Error("broken");
  const failing = storage.transaction(async (tx) => {
    tx.append("counters", counters(MANY));
    void tx.count("counters", {}, 1).catch(() => undefined);
    throw broken;
  });
  const next = storage.transaction(async (tx) => tx.append("counters", counters(3, "next")));
  await expect(failing).rejects.toBe(broken);
  await next;
  expect(await storage.find("counters", { where: {}, limit: 10 })).toHaveLength(3);
});

test("a transaction whose time is up in the middle of very many writes stores none", async () => {
  const path = join(folder.folder, "hurried.db");
  const hurried = createSqliteStorage({ path, transactionTimeoutMs: 1 });
  const late = hurried.transaction(async (tx) => {
    tx.append("counters", counters(MANY));
    await tx.count("counters", {}, 1);
  });
  await expect(late).rejects.toMatchObject({ code: "storage_unavailable" });
  await hurried.insert("counters", { name: "next", count: 1, ...EXPIRES });
  expect(await hurried.find("counters", { where: {}, limit: 10 })).toHaveLength(1);
  await hurried.close();
});

test("very many documents are indexed in several turns, and found with those of other transactions beside", async () => {
  const fields = { subject: [], text: ["word ".repeat(500)], sender: [], recipients: [], attachments: [] };
  let made = 0;
  const documents = (count: number): SearchDocument[] =>
    Array.from({ length: count }, () => ({
      ...{ account_id: "acct_1", inbox_id: "inb_1", thread_id: "thr_1", fields },
      message_id: `msg_${(++made).toString().padStart(9, "0")}00000000000`,
    }));
  const index = (count: number) => storage.transaction(async (tx) => tx.index(documents(count)));
  const broken = storage.transaction(async (tx) => {
    tx.index(documents(100));
    await tx.count("counters", {}, 1);
    throw new Error("broken");
  });
  // It fails on purpose: the documents it indexed must not be found.
  const writes = Promise.all([index(2), broken.catch(() => undefined), index(MANY_DOCUMENTS), index(3)]);
  expect(await turnsOf(() => writes)).toBeGreaterThan(5);
  const terms = [{ words: ["word"], prefix: false, field: null }];
  const query = {
    account_id: "acct_1",
    inbox_id: null,
    thread_id: null,
    before: null,
    limit: 2 * MANY_DOCUMENTS,
  };
  expect(await storage.search({ ...query, terms })).toHaveLength(MANY_DOCUMENTS + 5);
});
