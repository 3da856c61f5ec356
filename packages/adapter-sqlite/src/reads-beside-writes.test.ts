import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Transaction } from "@letterslot/core/ports";
import { createVerbs, type Row } from "@letterslot/sql";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../test/temporary-folder.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { createSqliteStorage } from "./sqlite-storage.ts";

/** Keys that a database or a comparison might take for each other. */
const KEYS = ["a", "A", "b", "á", "a\u0301", "a\0b", "a ", "", "\ud800", "\ufffd", "1", "01"];
const AT = "2026-01-01T00:00:00.000Z";

/** Random numbers that are the same in each run. */
function createRandom(seed: number) {
  let state = seed;
  const below = (most: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const key = () => pick(KEYS);
  const condition = () =>
    pick<unknown>([key(), key(), { in: [key()] }, { in: [key(), key()] }, { gt: key() }, { not: key() }]);
  return {
    below,
    pick,
    counter: () => ({ name: key(), count: below(3), expires_at: AT }),
    where: (): Row =>
      pick([{ name: condition() }, { name: condition(), count: below(3) }, { count: below(3) }, {}]),
    change: (): Row => pick<Row>([{ count: { add: 1 } }, { count: below(3) }, { name: key() }]),
  };
}

test("whatever transactions do, a read beside them finds what is committed", async () => {
  const { folder, remove } = await temporaryFolder();
  const storage = createSqliteStorage({ path: join(folder, "mail.db") });
  onTestFinished(async () => {
    await storage.close();
    await remove();
  });
  const { below, pick, counter, where, change } = createRandom(3);
  const verbs = createVerbs(sqliteDialect);
  const step = async (tx: Transaction) => {
    const steps: (() => unknown)[] = [
      () => tx.insert("counters", counter()),
      () => tx.append("counters", [counter()]),
      () => tx.update("counters", where(), change()),
      () => tx.delete("counters", where()),
      () => setImmediate(),
    ];
    await pick(steps)();
    if (below(20) === 0) throw new Error("it is rolled back");
  };
  const transact = async () => {
    const run = async (tx: Transaction) => {
      for (let left = below(6); left >= 0; left--) await step(tx);
    };
    // Many fail, for a taken key or on purpose: only the others' writes are compared.
    await storage.transaction(run).then(
      () => committed++,
      () => failed++,
    );
  };
  let [committed, failed] = [0, 0];
  let is_writing = true;
  const write = async () => {
    for (let left = 400; left > 0; left--) await transact();
  };
  const texts = (records: readonly unknown[]) => records.map((record) => JSON.stringify(record)).toSorted();
  const compare = async () => {
    while (is_writing) {
      const query = { where: where(), limit: 50 };
      const [found, stored] = await Promise.all([
        storage.find("counters", query as never),
        // Always on the reading connection.
        storage.read((connection) => verbs.find(connection, "counters", query)),
      ]);
      expect(texts(found), JSON.stringify(query)).toEqual(texts(stored));
      await setImmediate();
    }
  };
  const writing = Promise.all([write(), write(), write()]).finally(() => {
    is_writing = false;
  });
  await Promise.all([writing, compare(), compare()]);
  expect(Math.min(committed, failed)).toBeGreaterThan(100);
});
