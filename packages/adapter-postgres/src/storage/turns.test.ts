import { storageOrderKit } from "@letterslot/core/conformance";
import type { Storage, TransactionIntent } from "@letterslot/core/ports";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { emptySchema, freshDatabase } from "../../test/fresh-database.ts";
import { createPostgresStorage, type PostgresStorage } from "./postgres-storage.ts";

vi.setConfig({ testTimeout: 120_000 });

const counter = (name: string, count = 0) => ({ name, count, expires_at: "2026-01-01T00:00:00.000Z" });
const hot = { table: "counters", id: "hot" } as const;

let database: Awaited<ReturnType<typeof freshDatabase>>;

beforeAll(async () => {
  database = await freshDatabase();
});

afterAll(() => database.drop());

type Options = Omit<Parameters<typeof createPostgresStorage>[0], "connectionString">;

/** Empty storages on one schema, as of several processes. */
async function openAll(...options: Options[]): Promise<PostgresStorage[]> {
  const storages: PostgresStorage[] = [];
  for (const each of options)
    storages.push(await createPostgresStorage({ connectionString: database.url, ...each }));
  await emptySchema(storages[0] as PostgresStorage);
  return storages;
}

const closeAll = async (storages: readonly PostgresStorage[]) => {
  for (const storage of storages) await storage.close();
};

describe("with two processes", () => {
  storageOrderKit({
    test,
    async open() {
      const [storage, other] = (await openAll({}, {})) as [PostgresStorage, PostgresStorage];
      let turn = 0;
      return {
        storage: {
          ...storage,
          transaction: (run, intent) => (turn++ % 2 === 0 ? storage : other).transaction(run, intent),
        },
        close: () => closeAll([storage, other]),
      };
    },
  });
});

/** Adds one to the count as it was read. */
const addTo = (storage: Storage, name: string, intent: TransactionIntent) =>
  storage.transaction(
    async (tx) => {
      const found = await tx.get("counters", name);
      await tx.update("counters", { name }, { count: (found?.count ?? 0) + 1 });
    },
    { changes: { table: "counters", id: name }, ...intent },
  );

const INTENTS: [string, TransactionIntent][] = [
  ["share commits", { shares_commit: true }],
  ["read their own records", { shares_commit: true, reads_own: true }],
  ["do neither", {}],
];

test.for(INTENTS)(
  "transactions that %s take turns, in all processes: none is retried",
  async ([, intent]) => {
    const storages = await openAll({}, {});
    await storages[0]?.insert("counters", counter("hot"));
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => addTo(storages[index % 2] as Storage, "hot", intent)),
    );
    expect(storages.map(({ clashes }) => clashes.retries)).toEqual([0, 0]);
    expect((await storages[0]?.get("counters", "hot"))?.count).toBe(40);
    await closeAll(storages);
  },
);

test("behind a pooler they are as safe, beside processes that take turns", async () => {
  const storages = await openAll({ preparedStatements: false }, { preparedStatements: false }, {});
  await storages[0]?.insert("counters", counter("hot"));
  await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      addTo(storages[index % 3] as Storage, "hot", INTENTS[Math.floor(index / 3) % 3]?.[1] ?? {}),
    ),
  );
  expect((await storages[0]?.get("counters", "hot"))?.count).toBe(60);
  await closeAll(storages);
});

test("one waits longer for its turn than for other locks", async () => {
  const storages = await openAll({ lockTimeoutMs: 50 }, {});
  const [storage, other] = storages as [PostgresStorage, PostgresStorage];
  await storage.insert("counters", counter("hot"));
  const held = Promise.withResolvers<void>();
  const holder = other.transaction(
    async (tx) => {
      await tx.get("counters", "hot");
      held.resolve();
      await new Promise((resolve) => setTimeout(resolve, 200));
    },
    { changes: hot },
  );
  await held.promise;
  await Promise.all(INTENTS.map(([, intent]) => addTo(storage, "hot", intent)));
  await holder;
  expect((await storage.get("counters", "hot"))?.count).toBe(3);
  await closeAll(storages);
});

test("one whose turn doesn't come in time leaves no lock behind", async () => {
  const storages = await openAll({ transactionTimeoutMs: 300, poolSize: 1 }, {});
  const [storage, other] = storages as [PostgresStorage, PostgresStorage];
  const names = ["a", "b", "c", "hot"];
  for (const name of names) await storage.insert("counters", counter(name));
  for (const intent of [{ shares_commit: true }, { shares_commit: true, reads_own: true }]) {
    const [held, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holder = other.transaction(
      async (tx) => {
        await tx.get("counters", "hot");
        held.resolve();
        await over.promise;
      },
      { changes: hot },
    );
    await held.promise;
    // They share a commit, which holds some of the locks while it waits for the last.
    const outcomes = await Promise.allSettled(names.map((name) => addTo(storage, name, intent)));
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: "storage_unavailable" } });
    await Promise.all(["a", "b", "c"].map((name) => addTo(other, name, intent)));
    over.resolve();
    await holder;
    await Promise.all(names.map((name) => addTo(storage, name, intent)));
  }
  const found = await storage.find("counters", { where: {}, limit: 9 });
  expect(Object.fromEntries(found.map(({ name, count }) => [name, count]))).toEqual({
    ...{ a: 4, b: 4, c: 4, hot: 2 },
  });
  await closeAll(storages);
});
