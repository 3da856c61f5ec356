import type { Storage, Transaction } from "@letterslot/core/ports";
import { CompiledQuery, Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { freshDatabase } from "../../test/fresh-database.ts";
import { createPostgresBlobs } from "../blobs/postgres-blobs.ts";
import { createPostgresStorage, type PostgresStorage } from "./postgres-storage.ts";

const AT = "2026-01-01T00:00:00.000Z";
const counter = (name: string, count = 0) => ({ name, count, expires_at: AT });

let database: Awaited<ReturnType<typeof freshDatabase>>;
let made = 0;
let schema: string;
let opened: PostgresStorage[];

beforeAll(async () => {
  database = await freshDatabase();
});

afterAll(() => database.drop());

beforeEach(() => {
  schema = `place_${++made}`;
  opened = [];
});

afterEach(async () => {
  for (const storage of opened) await storage.close();
});

async function open(
  options: Partial<Parameters<typeof createPostgresStorage>[0]> = {},
): Promise<PostgresStorage> {
  const storage = await createPostgresStorage({ connectionString: database.url, schema, ...options });
  opened.push(storage);
  return storage;
}

describe("two concurrent processes", () => {
  test("lose no update, number events without gaps, and see consistent data", async () => {
    const storages = [await open(), await open()];
    await storages[0]?.insert("counters", counter("hot"));
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        (storages[index % 2] as Storage).transaction(async (tx) => {
          const hot = await tx.get("counters", "hot");
          if ((await tx.count("slots", {}, 100)) < 7)
            await tx.insert("slots", { name: `s${index}`, holder: "h", expires_at: AT });
          await tx.update("counters", { name: "hot" }, { count: (hot?.count ?? 0) + 1 });
          tx.append("counters", [counter(`c${index}`, hot?.count)]);
          return hot?.count;
        }),
      ),
    );
    expect(outcomes.toSorted((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 60 }, (_, index) => index),
    );
    expect(await storages[1]?.count("slots", {}, 100)).toBe(7);
    expect(await storages[1]?.count("counters", {}, 100)).toBe(61);
  });

  test("writers to one record within a process take turns instead of retrying repeatedly", async () => {
    const storage = await open();
    await storage.insert("counters", counter("hot"));
    const write = () =>
      storage.transaction((tx) => tx.update("counters", { name: "hot" }, { count: { add: 1 } }));
    await Promise.all(Array.from({ length: 100 }, write));
    expect((await storage.get("counters", "hot"))?.count).toBe(100);
    // Each retries at most a few times, not once for each of the others.
    expect(storage.clashes.retries).toBeLessThan(300);
    expect(storage.clashes.given_up).toBe(0);
  });

  test("writers that declare what they change are not retried", async () => {
    const storage = await open();
    const changes = { table: "counters", id: "hot" } as const;
    await storage.insert("counters", counter("hot"));
    const write = () =>
      storage.transaction((tx) => tx.update("counters", { name: "hot" }, { count: { add: 1 } }), { changes });
    await Promise.all(Array.from({ length: 40 }, write));
    expect((await storage.get("counters", "hot"))?.count).toBe(40);
    expect(storage.clashes.retries).toBe(0);
  });

  test("a transaction whose reads are outdated when it writes is retried", async () => {
    const [storage, other] = [await open(), await open()];
    const both = { where: { name: { in: ["left", "right"] } }, limit: 2 };
    const sumIn = async (tx: Pick<Storage, "find">) =>
      (await tx.find("counters", both)).reduce((sum, { count }) => sum + count, 0);
    for (const name of ["left", "right"]) await storage.insert("counters", counter(name, 1));
    // Each may decrement its own counter while the sum is two.
    const take = async (tx: Transaction, name: string, meanwhile = async () => {}) => {
      const sum = await sumIn(tx);
      await meanwhile();
      if (sum === 2) await tx.update("counters", { name }, { count: { add: -1 } });
    };
    let runs = 0;
    await storage.transaction(async (tx) => {
      const first = ++runs === 1;
      await take(tx, "left", () =>
        first ? other.transaction((theirs) => take(theirs, "right")) : Promise.resolve(),
      );
    });
    expect([runs, await sumIn(storage)]).toEqual([2, 1]);
  });

  test("transactions on different records of a small, analysed table are not retried", async () => {
    const storage = await open();
    const names = ["a", "b", "c", "d"];
    for (const name of names) await storage.insert("counters", counter(name));
    await storage.database.run({ sql: `analyze "${storage.schema}"."counters"`, parameters: [] });
    let reading = names.length;
    const allHaveRead = Promise.withResolvers<void>();
    const runs = await Promise.all(
      names.map(async (name) => {
        let tries = 0;
        await storage.transaction(async (tx) => {
          tries++;
          await tx.get("counters", name);
          if (--reading === 0) allHaveRead.resolve();
          await allHaveRead.promise;
          await tx.update("counters", { name }, { count: { add: 1 } });
        });
        return tries;
      }),
    );
    expect([runs, storage.clashes.retries]).toEqual([[1, 1, 1, 1], 0]);
  });

  test("mails with the same bytes are not retried because of them", async () => {
    const storages = [await open(), await open()];
    const blobs = storages.map((storage) => createPostgresBlobs({ storage }));
    const logo = Buffer.from("a logo in a signature");
    const store = async (name: string, place: number) => {
      const staged = await blobs[place]?.stage?.(logo);
      return storages[place]?.transaction(async (tx) => {
        staged?.put(tx);
        tx.append("counters", [counter(name)]);
      });
    };
    for (const place of [0, 1]) await store(`first ${place}`, place);
    await Promise.all(Array.from({ length: 40 }, (_, index) => store(`mail ${index}`, index % 2)));
    expect(storages.map(({ clashes }) => clashes.retries)).toEqual([0, 0]);
    expect(await storages[0]?.count("counters", {}, 100)).toBe(42);
  });

  test("a transaction that keeps clashing fails after its time and 25 tries, and is counted", async () => {
    const [storage, other] = [await open({ transactionTimeoutMs: 200 }), await open()];
    await storage.insert("counters", counter("hot"));
    let runs = 0;
    const outcome = storage.transaction(async (tx) => {
      runs++;
      await tx.get("counters", "hot");
      await other.update("counters", { name: "hot" }, { count: { add: 1 } });
      await tx.update("counters", { name: "hot" }, { count: { add: 1 } });
    });
    await expect(outcome).rejects.toMatchObject({ code: "storage_unavailable" });
    expect(runs).toBeGreaterThanOrEqual(25);
    expect(storage.clashes).toEqual({ retries: runs - 1, given_up: 1 });
    expect((await storage.get("counters", "hot"))?.count).toBe(runs);
  });

  test("a transaction that clashes 40 times within its time succeeds", async () => {
    const [storage, other] = [await open({ transactionTimeoutMs: 60_000 }), await open()];
    await storage.insert("counters", counter("hot"));
    let runs = 0;
    await storage.transaction(async (tx) => {
      await tx.get("counters", "hot");
      if (runs++ < 40) await other.update("counters", { name: "hot" }, { count: { add: 1 } });
      await tx.update("counters", { name: "hot" }, { count: { add: 1 } });
    });
    expect(storage.clashes).toEqual({ retries: 40, given_up: 0 });
    expect((await storage.get("counters", "hot"))?.count).toBe(41);
  });
});

describe("a transaction", () => {
  test("that takes too long is rolled back, and its connection is usable again", async () => {
    const storage = await open({ transactionTimeoutMs: 100, poolSize: 1 });
    const stuck = storage.transaction(async (tx) => {
      await tx.insert("counters", counter("stuck"));
      await new Promise(() => undefined);
    });
    await expect(stuck).rejects.toMatchObject({ code: "storage_unavailable" });
    expect(await storage.count("counters", {}, 9)).toBe(0);
  });

  test("cannot continue after a failed statement, and throws its error", async () => {
    const storage = await open();
    const outcome = storage.transaction(async (tx) => {
      tx.append("counters", [counter("a"), counter("a")]);
      await tx.get("counters", "a").catch(() => undefined);
      return "went on";
    });
    await expect(outcome).rejects.toThrow("duplicate key");
    expect(await storage.count("counters", {}, 9)).toBe(0);
  });

  test("that only appends is committed", async () => {
    const storage = await open({ poolSize: 1 });
    await storage.transaction(async (tx) => {
      tx.append("counters", [counter("a"), counter("b")]);
      tx.append("slots", [{ name: "s", holder: "h", expires_at: AT }]);
    });
    expect(await storage.count("counters", {}, 9)).toBe(2);
  });
});

test("a write that fails before it is sent rolls back those that were sent", async () => {
  const storage = await open();
  const fields = { subject: [], text: [], sender: [], recipients: [], attachments: [] };
  const failing = storage.transaction(async (tx) => {
    await tx.insert("counters", counter("sent"));
    tx.index([{ message_id: "none", account_id: "a", inbox_id: "i", thread_id: "t", fields }]);
  });
  await expect(failing).rejects.toThrow("malformed message id");
  expect(await storage.count("counters", {}, 9)).toBe(0);
});

describe("text that PostgreSQL cannot store", () => {
  test("NUL is removed and lone surrogates are replaced, wherever they are", async () => {
    const storage = await open();
    const payload = { "a\0b": ["c\0d", "e\ud800f", { g: "\\u0000" }], plain: "ü" };
    const job = { id: "j\0", kind: "message.send" as const, due_at: AT, subject_id: "x\0y", payload };
    await storage.insert("jobs", { ...job, attempts: 0, lease: null, created_at: AT });
    const [stored] = await storage.find("jobs", { where: { subject_id: { in: ["xy\0"] } }, limit: 1 });
    expect(stored).toMatchObject({
      id: "j",
      payload: { ab: ["cd", "e\ufffdf", { g: "\\u0000" }], plain: "ü" },
    });
  });

  test("the keys of an object keep their order", async () => {
    const storage = await open();
    const payload = { zebra: 1, a: 2, "10": 3, Mm: 4 };
    await storage.insert("jobs", {
      id: "j",
      kind: "message.send",
      due_at: AT,
      subject_id: "s",
      payload,
      attempts: 0,
      lease: null,
      created_at: AT,
    });
    expect(JSON.stringify((await storage.get("jobs", "j"))?.payload)).toBe(JSON.stringify(payload));
  });
});

describe("within an embedder's transaction", () => {
  const work = async (tx: Transaction) => {
    tx.append("counters", [counter("ours")]);
    await tx.update("counters", { name: "ours" }, { count: { add: 1 } });
  };

  test("writes are committed or rolled back with it, over pg", async () => {
    const pool = new pg.Pool({ connectionString: database.url });
    const storage = await open({ pool });
    await pool.query(`create table ${schema}.orders (id text)`);
    for (const end of ["rollback", "commit"]) {
      const client = await pool.connect();
      await client.query("begin");
      await client.query(`insert into ${schema}.orders values ('theirs')`);
      const within = storage.within(client);
      await within.transaction(work);
      await expect(within.transaction(work)).rejects.toThrow("duplicate key");
      await within.insert("counters", counter("alone"));
      expect(await within.count("counters", {}, 9)).toBe(2);
      expect(await storage.count("counters", {}, 9)).toBe(0);
      await client.query(end);
      client.release();
    }
    expect(
      await storage.find("counters", { where: {}, order: { by: "name", direction: "asc" }, limit: 9 }),
    ).toEqual([counter("alone"), counter("ours", 1)]);
    expect((await pool.query(`select * from ${schema}.orders`)).rowCount).toBe(1);
    await storage.close();
    expect((await pool.query("select 1 as still_open")).rowCount).toBe(1);
    await pool.end();
  });

  test("bytes that it has put can be staged again without waiting for its end", async () => {
    const pool = new pg.Pool({ connectionString: database.url });
    const storage = await open({ pool });
    const logo = Buffer.from("a logo in a signature");
    await createPostgresBlobs({ storage }).put(logo);
    const blobs = createPostgresBlobs({ storage });
    const client = await pool.connect();
    await client.query("begin");
    const within = storage.within(client);
    for (const name of ["first", "second"]) {
      const staged = await blobs.stage?.(logo);
      await within.transaction(async (tx) => {
        staged?.put(tx);
        tx.append("counters", [counter(name)]);
      });
    }
    await client.query("commit");
    client.release();
    expect(await storage.count("counters", {}, 9)).toBe(2);
    await storage.close();
    await pool.end();
  });

  test("writes are committed or rolled back with it, over Kysely", async () => {
    const pool = new pg.Pool({ connectionString: database.url });
    const kysely = new Kysely<Record<string, Record<string, unknown>>>({
      dialect: new PostgresDialect({ pool }),
    });
    const storage = await open({ kysely });
    await storage.transaction(work);
    const rolledBack = kysely.transaction().execute(async (trx) => {
      await storage
        .within(trx)
        .transaction(async (tx) => void (await tx.insert("counters", counter("gone"))));
      throw new Error("no");
    });
    await expect(rolledBack).rejects.toThrow("no");
    await kysely.transaction().execute((trx) => storage.within(trx).insert("counters", counter("kept")));
    expect(
      await storage.find("counters", { where: {}, order: { by: "name", direction: "asc" }, limit: 9 }),
    ).toEqual([counter("kept"), counter("ours", 1)]);
    const blobs = createPostgresBlobs({ storage });
    const hash = await blobs.put(Buffer.from("over kysely"));
    expect(Buffer.from((await blobs.get(hash)) ?? []).toString()).toBe("over kysely");
    const seen = await kysely.executeQuery(
      CompiledQuery.raw(`select count(*)::text as count from ${schema}.counters`),
    );
    expect(seen.rows).toEqual([{ count: "2" }]);
    expect((await sql`select 1 as one`.execute(kysely)).rows).toEqual([{ one: 1 }]);
    await storage.close();
    await kysely.destroy();
  });
});

test("a storage without a connection is refused", async () => {
  await expect(createPostgresStorage({})).rejects.toThrow("connectionString");
});

test("skip_locked skips records that another process is claiming, without waiting", async () => {
  const storage = await open();
  for (const name of ["a", "b"]) await storage.insert("counters", counter(name));
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`begin; update ${schema}.counters set count = 1 where name = 'a'`);
  const find = { where: {}, order: { by: "name", direction: "asc" }, limit: 5 } as const;
  expect((await storage.find("counters", { ...find, skip_locked: true })).map(({ name }) => name)).toEqual([
    "b",
  ]);
  expect((await storage.find("counters", find)).map(({ name }) => name)).toEqual(["a", "b"]);
  await client.query("rollback");
  expect((await storage.find("counters", { ...find, skip_locked: true })).map(({ name }) => name)).toEqual([
    "a",
    "b",
  ]);
  await client.end();
});
