import type { Transaction } from "@letterslot/core/ports";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { freshDatabase } from "../../test/fresh-database.ts";
import { type WatchedCommits, watchCommits } from "../../test/watched-commits.ts";
import { createPostgresStorage, type PostgresStorage } from "../storage/postgres-storage.ts";

const AT = "2026-01-01T00:00:00.000Z";
const counter = (name: string, count = 0) => ({ name, count, expires_at: AT });
const changes = { table: "counters", id: "hot" } as const;

let database: Awaited<ReturnType<typeof freshDatabase>>;
let made = 0;
let storage: PostgresStorage;
let watched: WatchedCommits;

beforeAll(async () => {
  database = await freshDatabase();
});

afterAll(() => database.drop());

beforeEach(async () => {
  storage = await createPostgresStorage({ connectionString: database.url, schema: `group_${++made}` });
  await storage.insert("counters", counter("hot"));
  watched = watchCommits(storage);
});

afterEach(() => storage.close());

const add = async (tx: Transaction): Promise<number | undefined> => {
  const [hot] = await tx.update("counters", { name: "hot" }, { count: { add: 1 } });
  return hot?.count;
};
const submit = <T>(run: (tx: Transaction) => Promise<T>) => storage.transaction(run, { changes });
const hot = async () => (await storage.get("counters", "hot"))?.count;

test("transactions waiting for the same record share a commit, and each sees the writes of the previous one", async () => {
  const counts = await Promise.all(Array.from({ length: 40 }, () => submit(add)));
  expect(counts).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  // The first one runs alone while the others wait: then 16, 16 and 7.
  expect(watched.commits).toBe(4);
  expect(storage.clashes.retries).toBe(0);
});

test("one that fails is rolled back alone, by a savepoint from its second time on", async () => {
  let runs = 0;
  const refused = async (tx: Transaction) => {
    runs++;
    await add(tx);
    tx.append("counters", [counter("refused")]);
    throw new Error("it is refused");
  };
  const outcomes = await Promise.allSettled([submit(add), submit(add), submit(refused), submit(add)]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  expect(outcomes[2]).toMatchObject({ reason: { message: "it is refused" } });
  expect([await hot(), await storage.get("counters", "refused"), watched.commits, runs]).toEqual([
    3,
    undefined,
    2,
    2,
  ]);
  const again = await Promise.allSettled([submit(add), submit(add), submit(refused), submit(add)]);
  expect(again).toMatchObject([{ value: 4 }, { value: 5 }, { status: "rejected" }, { value: 6 }]);
  expect([await hot(), watched.commits, runs]).toEqual([6, 4, 3]);
});

test("a failing last write does not affect the others", async () => {
  const twice = async (tx: Transaction) => {
    await add(tx);
    tx.append("counters", [counter("a"), counter("a")]);
  };
  const outcomes = await Promise.allSettled([add, add, twice, add, add].map((run) => submit<unknown>(run)));
  expect(outcomes.map(({ status }) => status)).toEqual([
    "fulfilled",
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
  ]);
  expect(outcomes[2]).toMatchObject({ reason: { code: "23505" } });
  expect(await hot()).toBe(4);
});

test("one that has to wait for a second record is retried once it has the lock", async () => {
  await storage.insert("counters", counter("other"));
  const addToOther = (tx: Transaction) => tx.update("counters", { name: "other" }, { count: { add: 1 } });
  const both = async (tx: Transaction) => [await add(tx), await addToOther(tx)];
  const reached = Promise.withResolvers<void>();
  const others: Promise<unknown>[] = [];
  const holder = storage.transaction(async (tx) => {
    await addToOther(tx);
    reached.resolve();
    await others[1];
  });
  await reached.promise;
  others.push(submit(add), submit(add), submit(both), submit(add), submit(both));
  await Promise.all([holder, ...others]);
  expect([await hot(), (await storage.get("counters", "other"))?.count]).toEqual([5, 3]);
});

/** Runs two in a group whose first commit fails; returns their outcomes and how often they ran. */
async function twoWhoseCommitFailsOnce(failure: Error) {
  let runs = 0;
  const counted = (tx: Transaction) => {
    runs++;
    return add(tx);
  };
  const first = submit(add);
  const two = Promise.allSettled([submit(counted), submit(counted)]);
  await first;
  watched.failure = failure;
  const outcomes = await two;
  return { outcomes, runs };
}

test("when it is unknown whether the commit happened, all fail and none is retried", async () => {
  const lost = Object.assign(new Error("the connection is gone"), { code: "ECONNRESET" });
  const { outcomes, runs } = await twoWhoseCommitFailsOnce(lost);
  const unknown = { status: "rejected", reason: { code: "storage_unavailable" } };
  expect(outcomes).toMatchObject([unknown, unknown]);
  expect([runs, await hot()]).toEqual([2, 1]);
});

test("when the commit clashes with another process, each is retried", async () => {
  const clash = Object.assign(new Error("could not serialize access"), { code: "40001" });
  const { outcomes, runs } = await twoWhoseCommitFailsOnce(clash);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  expect([runs, await hot(), storage.clashes.retries]).toEqual([4, 3, 2]);
});

test("one submitted during a shared transaction sees all commits from before its submission", async () => {
  const begun = Promise.withResolvers<void>();
  const known = Promise.withResolvers<void>();
  const slow = async (tx: Transaction) => {
    await add(tx);
    begun.resolve();
    await known.promise;
  };
  const others = [submit(add), submit(slow), submit(add)];
  await begun.promise;
  await storage.insert("counters", counter("late"));
  const late = submit((tx) => tx.get("counters", "late"));
  known.resolve();
  expect(await late).toMatchObject({ name: "late" });
  await Promise.all(others);
});

test("a connection that one breaks does not fail those that still wait", async () => {
  const breaking = async (tx: Transaction) => {
    await add(tx);
    await endOpenTransactions();
    await add(tx);
  };
  const outcomes = await Promise.allSettled(
    [add, breaking, add, add, add].map((run) => submit<unknown>(run)),
  );
  expect(outcomes.map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
    "fulfilled",
  ]);
  expect(outcomes[1]).toMatchObject({ reason: { code: "storage_unavailable" } });
  expect(await hot()).toBe(4);
});

/** Ends open transactions, as a server does on shutdown. */
async function endOpenTransactions(): Promise<void> {
  const sql =
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and state = 'idle in transaction'";
  await storage.database.run({ sql, parameters: [] });
}
