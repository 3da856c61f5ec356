import type { Announcement, Transaction } from "@letterslot/core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { freshDatabase } from "../test/fresh-database.ts";
import { type WatchedCommits, watchCommits } from "../test/watched-commits.ts";
import { createPostgresStorage, type PostgresStorage } from "./postgres-storage.ts";

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
  storage = await createPostgresStorage({ connection_string: database.url, schema: `announced_${++made}` });
  for (const name of names) await storage.insert("counters", counter(name));
  watched = watchCommits(storage);
});

afterEach(() => storage.close());

describe("announced transactions", () => {
  const addTo = (name: string) => async (tx: Transaction) => {
    const [changed] = await tx.update("counters", { name }, { count: { add: 1 } });
    return changed?.count;
  };
  const announced = <T>(name: string, run: (tx: Transaction) => Promise<T>, to = storage) =>
    to.transaction(run, { changes: { table: "counters", id: name }, announced: to.announce?.() as never });
  const counts = async () =>
    Promise.all(names.map(async (name) => (await storage.get("counters", name))?.count));

  test("share a commit whatever they change", async () => {
    const counted = names.flatMap((name) => [announced(name, addTo(name)), announced(name, addTo(name))]);
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
    const waiting = announced("a", addTo("a"));
    await Promise.all(names.slice(1).map((name) => announced(name, addTo(name))));
    expect(await counts()).toEqual([0, 1, 1, 1]);
    known.resolve();
    await Promise.all([holder, waiting]);
    expect(await counts()).toEqual([2, 1, 1, 1]);
  });

  const appendNew = async (tx: Transaction) => tx.append("counters", [counter("new", 7)]);
  const findNew = (tx: Transaction) =>
    tx.find("counters", { where: { name: { in: ["new", "refused"] } }, limit: 9 });

  test("see what the others of the commit have appended", async () => {
    const outcomes = await Promise.all([announced<unknown>("a", appendNew), announced("b", findNew)]);
    expect([outcomes[1], watched.commits]).toEqual([[counter("new", 7)], 1]);
  });

  test("do in one statement what all of them do", async () => {
    const addToAll = () => Promise.all(names.map((name) => announced(name, addTo(name))));
    // What comes often is merged.
    for (let times = 0; times < 4; times++) await addToAll();
    watched.statements = [];
    expect(await addToAll()).toEqual([5, 5, 5, 5]);
    expect(watched.statements).toEqual(["begin isolation level serializable", expect.any(String), "commit"]);
  });

  test("insert a record once that several of them insert", async () => {
    for (let times = 0; times < 5; times++) {
      const insert = (tx: Transaction) => tx.insert("counters", counter(`once ${times}`));
      const outcomes = await Promise.all(names.map((name) => announced(name, insert)));
      expect(outcomes.map(({ inserted }) => inserted)).toEqual([true, false, false, false]);
    }
  });

  test("that write thousands of records share a commit", async () => {
    const many = (name: string) => async (tx: Transaction) =>
      tx.append(
        "counters",
        Array.from({ length: 3_000 }, (_, index) => counter(`${name} ${index}`)),
      );
    await Promise.all(names.map((name) => announced(name, many(name))));
    expect([await storage.count("counters", {}, 20_000), watched.commits]).toEqual([12_004, 1]);
  });

  test("run in turn where they can't be interleaved, and so do those after them", async () => {
    const copy = (from: string, to: string) => async (tx: Transaction) => {
      const count = (await tx.get("counters", from))?.count ?? 0;
      await tx.update("counters", { name: to }, { count: count + 1 });
    };
    await Promise.all([announced("a", copy("a", "b")), announced("b", copy("b", "a"))]);
    expect([await counts(), watched.commits, storage.clashes.retries]).toEqual([[2, 1, 0, 0], 1, 0]);
    watched.statements = [];
    expect(await Promise.all(names.map((name) => announced(name, addTo(name))))).toEqual([3, 2, 1, 1]);
    expect(watched.statements).toHaveLength(6);
  });

  test("that fail are rolled back alone", async () => {
    const refused = async (tx: Transaction) => {
      await addTo("b")(tx);
      tx.append("counters", [counter("refused")]);
      throw new Error("it is refused");
    };
    const outcomes = await Promise.allSettled([
      announced<unknown>("a", appendNew),
      announced("b", refused),
      announced("c", findNew),
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
      await announced(name, addTo(name));
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
    await Promise.all(names.map((name) => announced(name, large(name))));
    expect([await storage.count("slots", {}, 9), watched.commits]).toEqual([4, 1]);
  });

  test("whose appended records can't be written are found among the others", async () => {
    const twice = (tx: Transaction) => Promise.resolve(tx.append("counters", [counter("x"), counter("x")]));
    const outcomes = await Promise.allSettled([
      announced<unknown>("a", addTo("a")),
      announced<unknown>("b", twice),
      announced<unknown>("c", addTo("c")),
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
      announced<unknown>("a", addTo("a")),
      announced<unknown>("b", unsendable),
      announced<unknown>("c", addTo("c")),
    ]);
    expect(outcomes).toMatchObject([
      { value: 1 },
      { reason: { message: expect.stringContaining("malformed message id") } },
      { value: 1 },
    ]);
    expect([await storage.get("counters", "refused"), await counts()]).toEqual([undefined, [1, 0, 1, 0]]);
  });

  describe("wait for others that are announced", () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
    afterEach(() => void vi.useRealTimers());

    const someTurns = async () => {
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    };
    const announceMany = (count: number) =>
      Array.from({ length: count }, () => storage.announce?.() as Announcement);
    const submitOne = (one: Announcement | undefined) =>
      storage.transaction(addTo("a"), {
        changes: { table: "counters", id: "a" },
        announced: one as Announcement,
      });

    test("until twice as many have come as are awaited", async () => {
      const many = announceMany(15);
      const [first, ...later] = [many.slice(0, 5), many.slice(5, 9), many.slice(9, 10)];
      const sent = first?.map(submitOne) ?? [];
      for (const some of later) {
        await someTurns();
        expect(watched.commits).toBe(0);
        sent.push(...some.map(submitOne));
      }
      expect(await Promise.all(sent)).toEqual(sent.map((_, index) => index + 1));
      expect(watched.commits).toBe(1);
    });

    test("which may come or be withdrawn", async () => {
      const many = announceMany(8);
      const sent = [submitOne(many[0])];
      await someTurns();
      expect(watched.commits).toBe(0);
      for (const one of many.slice(1, 5)) {
        one.withdraw();
        one.withdraw();
      }
      expect(await Promise.all(sent)).toEqual([1]);
    });

    test("but for none whose sender's DNS is slow, until that has answered", async () => {
      const many = announceMany(8);
      for (const one of many.slice(1)) one.suspend();
      expect(await submitOne(many[0])).toBe(1);
      for (const one of many.slice(1)) one.resume();
      const sent = [submitOne(many[1])];
      await someTurns();
      expect(watched.commits).toBe(1);
      for (const one of many.slice(2)) one.withdraw();
      expect(await Promise.all(sent)).toEqual([2]);
    });

    test("40 ms at most", async () => {
      const many = announceMany(8);
      const sent = [submitOne(many[0])];
      await someTurns();
      vi.advanceTimersByTime(39);
      await someTurns();
      expect(watched.commits).toBe(0);
      vi.advanceTimersByTime(1);
      expect(await Promise.all(sent)).toEqual([1]);
    });

    test("but for no few", async () => {
      const many = announceMany(4);
      expect(await submitOne(many[0])).toBe(1);
    });
  });

  test("of two processes lose nothing, and share commits by record for a while after a clash", async () => {
    const other = await createPostgresStorage({
      connection_string: database.url,
      schema: `announced_${made}`,
    });
    try {
      const rounds = Array.from({ length: 10 }, () => names).flat();
      await Promise.all(
        rounds.flatMap((name) => [announced(name, addTo(name)), announced(name, addTo(name), other)]),
      );
      expect(await counts()).toEqual([20, 20, 20, 20]);
      if (storage.clashes.retries + other.clashes.retries === 0) return;
      const clashed = storage.clashes.retries > 0 ? storage : other;
      const before = clashed.clashes.retries;
      await Promise.all(names.map((name) => announced(name, addTo(name), clashed)));
      expect(clashed.clashes.retries).toBe(before);
    } finally {
      await other.close();
    }
  });

  test("are all told when nobody knows whether their commit happened, and none is retried", async () => {
    watched.failure = Object.assign(new Error("the connection is gone"), { code: "ECONNRESET" });
    let runs = 0;
    const counted = (name: string) =>
      announced(name, (tx) => {
        runs++;
        return addTo(name)(tx);
      });
    const unknown = { status: "rejected", reason: { code: "storage_unavailable" } };
    expect(await Promise.allSettled(names.map(counted))).toMatchObject([unknown, unknown, unknown, unknown]);
    expect([runs, await counts()]).toEqual([4, [0, 0, 0, 0]]);
  });
});
