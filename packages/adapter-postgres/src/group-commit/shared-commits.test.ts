import type { Transaction } from "@letterslot/core/ports";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { freshDatabase } from "../../test/fresh-database.ts";
import { type WatchedCommits, watchCommits } from "../../test/watched-commits.ts";
import { createPostgresStorage, type PostgresStorage } from "../storage/postgres-storage.ts";

const AT = "2026-01-01T00:00:00.000Z";
const counter = (name: string, count = 0) => ({ name, count, expires_at: AT });
const names = ["a", "b", "c", "d"];

let database: Awaited<ReturnType<typeof freshDatabase>>;
let made = 0;
let storage: PostgresStorage;
let watched: WatchedCommits;

beforeAll(async () => {
  database = await freshDatabase();
});

afterAll(() => database.drop());

beforeEach(async () => {
  storage = await createPostgresStorage({ connectionString: database.url, schema: `shared_${++made}` });
  for (const name of names) await storage.insert("counters", counter(name));
  watched = watchCommits(storage);
});

afterEach(() => storage.close());

describe("transactions that share commits", () => {
  const addTo = (name: string) => async (tx: Transaction) => {
    const [changed] = await tx.update("counters", { name }, { count: { add: 1 } });
    return changed?.count;
  };
  const shared = <T>(name: string, run: (tx: Transaction) => Promise<T>, to = storage) =>
    to.transaction(run, { changes: { table: "counters", id: name }, shares_commit: true });
  const counts = async () =>
    Promise.all(names.map(async (name) => (await storage.get("counters", name))?.count));

  test("do so whatever they change", async () => {
    const counted = names.flatMap((name) => [shared(name, addTo(name)), shared(name, addTo(name))]);
    expect(await Promise.all(counted)).toEqual([1, 2, 1, 2, 1, 2, 1, 2]);
    expect([watched.commits, storage.clashes.retries]).toEqual([1, 0]);
  });

  test("don't wait for one whose record somebody else has locked", async () => {
    const locked = Promise.withResolvers<void>();
    const known = Promise.withResolvers<void>();
    const holder = storage.transaction(async (tx) => {
      await addTo("a")(tx);
      locked.resolve();
      await known.promise;
    });
    await locked.promise;
    const waiting = shared("a", addTo("a"));
    await Promise.all(names.slice(1).map((name) => shared(name, addTo(name))));
    expect(await counts()).toEqual([0, 1, 1, 1]);
    known.resolve();
    await Promise.all([holder, waiting]);
    expect(await counts()).toEqual([2, 1, 1, 1]);
  });

  const appendNew = async (tx: Transaction) => tx.append("counters", [counter("new", 7)]);
  const findNew = (tx: Transaction) =>
    tx.find("counters", { where: { name: { in: ["new", "refused"] } }, limit: 9 });

  test("see what the others of the commit have appended", async () => {
    const outcomes = await Promise.all([shared<unknown>("a", appendNew), shared("b", findNew)]);
    expect([outcomes[1], watched.commits]).toEqual([[counter("new", 7)], 1]);
  });

  test("insert a record once that several of them insert", async () => {
    for (let times = 0; times < 5; times++) {
      const insert = (tx: Transaction) => tx.insert("counters", counter(`once ${times}`));
      const outcomes = await Promise.all(names.map((name) => shared(name, insert)));
      expect(outcomes.map(({ inserted }) => inserted)).toEqual([true, false, false, false]);
    }
  });

  test("that write thousands of records share a commit", async () => {
    const many = (name: string) => async (tx: Transaction) =>
      tx.append(
        "counters",
        Array.from({ length: 3_000 }, (_, index) => counter(`${name} ${index}`)),
      );
    await Promise.all(names.map((name) => shared(name, many(name))));
    expect([await storage.count("counters", {}, 20_000), watched.commits]).toEqual([12_004, 1]);
  });

  test("that fail are rolled back alone", async () => {
    const refused = async (tx: Transaction) => {
      await addTo("b")(tx);
      tx.append("counters", [counter("refused")]);
      throw new Error("it is refused");
    };
    const outcomes = await Promise.allSettled([
      shared<unknown>("a", appendNew),
      shared("b", refused),
      shared("c", findNew),
    ]);
    expect(outcomes).toMatchObject([
      { status: "fulfilled" },
      { status: "rejected", reason: { message: "it is refused" } },
      { value: [counter("new", 7)] },
    ]);
    expect([await storage.get("counters", "refused"), await counts()]).toEqual([undefined, [0, 0, 0, 0]]);
  });

  test("of one record don't delay the others, however many they are", async () => {
    const ended: string[] = [];
    const noted = async (name: string) => {
      await shared(name, addTo(name));
      ended.push(name);
    };
    const flood = Array.from({ length: 40 }, () => noted("a"));
    await Promise.all([...flood, noted("b")]);
    expect(ended.indexOf("b")).toBeLessThan(16);
    expect([await counts(), storage.clashes.retries]).toEqual([[40, 1, 0, 0], 0]);
  });

  test("with many bytes are written before the commit", async () => {
    const large = (name: string) => (tx: Transaction) => {
      tx.append("slots", [{ name, holder: "x".repeat(700_000), expires_at: AT }]);
      return Promise.resolve();
    };
    await Promise.all(names.map((name) => shared(name, large(name))));
    expect([await storage.count("slots", {}, 9), watched.commits]).toEqual([4, 1]);
  });

  test("whose appended records can't be written are found among the others", async () => {
    const twice = (tx: Transaction) => Promise.resolve(tx.append("counters", [counter("x"), counter("x")]));
    const outcomes = await Promise.allSettled([
      shared<unknown>("a", addTo("a")),
      shared<unknown>("b", twice),
      shared<unknown>("c", addTo("c")),
    ]);
    expect(outcomes).toMatchObject([{ value: 1 }, { reason: { code: "23505" } }, { value: 1 }]);
    expect([await storage.get("counters", "x"), await counts()]).toEqual([undefined, [1, 0, 1, 0]]);
  });

  test("that write what can't be sent are found among the others, and nothing of theirs is committed", async () => {
    const unsendable = (tx: Transaction) => {
      tx.append("counters", [counter("refused")]);
      const fields = { subject: [], text: [], sender: [], recipients: [], attachments: [] };
      tx.index([{ message_id: "none", account_id: "a", inbox_id: "i", thread_id: "t", fields }]);
      return Promise.resolve();
    };
    const outcomes = await Promise.allSettled([
      shared<unknown>("a", addTo("a")),
      shared<unknown>("b", unsendable),
      shared<unknown>("c", addTo("c")),
    ]);
    expect(outcomes).toMatchObject([
      { value: 1 },
      { reason: { message: expect.stringContaining("malformed message id") } },
      { value: 1 },
    ]);
    expect([await storage.get("counters", "refused"), await counts()]).toEqual([undefined, [1, 0, 1, 0]]);
  });

  test("of two processes lose nothing, and share commits by record for a while after a clash", async () => {
    const other = await createPostgresStorage({
      connectionString: database.url,
      schema: `shared_${made}`,
    });
    try {
      const rounds = Array.from({ length: 10 }, () => names).flat();
      await Promise.all(
        rounds.flatMap((name) => [shared(name, addTo(name)), shared(name, addTo(name), other)]),
      );
      expect(await counts()).toEqual([20, 20, 20, 20]);
      if (storage.clashes.retries + other.clashes.retries === 0) return;
      const clashed = storage.clashes.retries > 0 ? storage : other;
      const before = clashed.clashes.retries;
      await Promise.all(names.map((name) => shared(name, addTo(name), clashed)));
      expect(clashed.clashes.retries).toBe(before);
    } finally {
      await other.close();
    }
  });

  test("are all told when nobody knows whether their commit happened, and none is retried", async () => {
    watched.failure = Object.assign(new Error("the connection is gone"), { code: "ECONNRESET" });
    let runs = 0;
    const counted = (name: string) =>
      shared(name, (tx) => {
        runs++;
        return addTo(name)(tx);
      });
    const unknown = { status: "rejected", reason: { code: "storage_unavailable" } };
    expect(await Promise.allSettled(names.map(counted))).toMatchObject([unknown, unknown, unknown, unknown]);
    expect([runs, await counts()]).toEqual([4, [0, 0, 0, 0]]);
  });
});
