import { AsyncLocalStorage } from "node:async_hooks";
import { join } from "node:path";
import { fail } from "@letterslot/core/ports";
import { createVerbs } from "@letterslot/sql";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { type Connection, openWriter } from "../connection.ts";
import { sqliteDialect } from "../sqlite-dialect.ts";
import { createSqliteStorage, type SqliteStorage } from "../sqlite-storage.ts";
import type { Batch } from "./batch.ts";
import { createGroupCommit } from "./group-commit.ts";
import { runInBatch } from "./run-in-batch.ts";

let folder: string;
let path: string;
let remove: () => Promise<void>;
let storage: SqliteStorage;

beforeEach(async () => {
  ({ folder, remove } = await temporaryFolder());
  path = join(folder, "mail.db");
  storage = createSqliteStorage({ path, transactionTimeoutMs: 50 });
});

afterEach(async () => {
  await storage.close();
  await remove();
});

const counter = (name: string) => ({ name, count: 1, expires_at: "" });
/** Values of `pragma synchronous`. */
const NORMAL = 1;
const FULL = 2;
const UNAVAILABLE = { code: "storage_unavailable" };

test("the writer syncs every commit", async () => {
  expect(await storage.write((connection) => connection.row("pragma synchronous"))).toEqual({
    synchronous: 2,
  });
  expect(await storage.write((connection) => connection.row("pragma journal_mode"))).toEqual({
    journal_mode: "wal",
  });
});

test("only commits of a load don't wait for the disk, and nothing else shares one of these", async () => {
  const { group, commits } = countingGroup();
  const synchronous = ({ connection }: Batch) => connection.row("pragma synchronous")?.["synchronous"];
  const submitted = [false, true, true, false, true].map((part_of_load) =>
    group.submit(synchronous, { part_of_load }),
  );
  expect(await Promise.all(submitted)).toEqual([FULL, NORMAL, NORMAL, FULL, NORMAL]);
  expect(commits()).toBe(4);
  expect(await group.submit(synchronous)).toBe(FULL);
  await group.finish();
});

test("queued writes share a commit, and a batch has a maximum size", async () => {
  const { group, commits } = countingGroup();
  await Promise.all(
    Array.from({ length: 200 }, (_, index) => group.submit(({ connection }) => put(connection, `c${index}`))),
  );
  expect(commits()).toBe(4);
  expect(await storage.count("counters", {}, 500)).toBe(200);
  await group.finish();
});

test("a write queued in the next turn of the event loop joins the open batch", async () => {
  const { group, commits } = countingGroup();
  const later = Promise.withResolvers<unknown>();
  const first = group.submit(({ connection }) => {
    setImmediate(() => later.resolve(group.submit((batch) => put(batch.connection, "b"))));
    return put(connection, "a");
  });
  await Promise.all([first, later.promise]);
  expect(commits()).toBe(1);
  await group.finish();
});

test("a read sees nothing of a batch before its commit", async () => {
  const { group } = countingGroup();
  const seen: unknown[] = [];
  await group.submit(async ({ connection }) => {
    put(connection, "a");
    seen.push(group.committed(), await storage.get("counters", "a"));
  });
  expect(seen).toEqual([undefined, undefined]);
  expect(group.committed()?.row("select count(*) as n from counters")).toEqual({ n: 1 });
  await group.finish();
});

test("nothing is answered before the commit", async () => {
  const { group, commits } = countingGroup();
  const seen = await Promise.all(
    Array.from({ length: 10 }, (_, index) => group.submit(() => index).then(() => commits())),
  );
  expect(Math.min(...seen)).toBeGreaterThanOrEqual(1);
  await group.finish();
});

test("when a commit fails, all its writes fail and leave nothing, and later writes succeed", async () => {
  await storage.write((connection) =>
    connection.script(
      "create table parent (id integer primary key); create table child (parent integer references parent (id) deferrable initially deferred)",
    ),
  );
  const { group } = countingGroup();
  const outcomes = await Promise.allSettled([
    group.submit(({ connection }) => put(connection, "a")),
    group.submit(({ connection }) => connection.run("insert into child values (1)")),
    group.submit(() => {
      throw new Error("no");
    }),
    group.submit(({ connection }) => put(connection, "b")),
  ]);
  for (const outcome of outcomes) expect(outcome).toMatchObject({ status: "rejected", reason: UNAVAILABLE });
  expect(await storage.count("counters", {}, 9)).toBe(0);
  await group.submit(({ connection }) => put(connection, "c"));
  expect(await storage.count("counters", {}, 9)).toBe(1);
  await group.finish();
});

test("a connection whose commit met a failing disk is replaced", async () => {
  const { group, disk } = groupOnFailingDisk();
  disk.fails = true;
  await expect(group.submit(({ connection }) => put(connection, "a"))).rejects.toMatchObject(UNAVAILABLE);
  await expect(group.submit(({ connection }) => put(connection, "b"))).rejects.toMatchObject(UNAVAILABLE);
  disk.fails = false;
  await group.submit(({ connection }) => put(connection, "c"));
  expect(disk.opened).toBe(3);
  expect(await namesOf(storage)).toEqual(["c"]);
  await group.finish();
});

test("on a full disk writes are storage_unavailable and reads work; with space again writes work too", async () => {
  await storage.insert("counters", counter("a"));
  await storage.write((connection) => connection.script(`pragma max_page_count = ${pagesOf(connection)}`));
  const big = (name: string) => ({ ...counter(name), expires_at: "x".repeat(3_000_000) });
  const outcomes = await Promise.allSettled([
    storage.insert("counters", big("b")),
    storage.transaction(async (tx) => {
      tx.append("counters", [counter("c")]);
      tx.append("counters", [big("d")]);
    }),
  ]);
  for (const outcome of outcomes) expect(outcome).toMatchObject({ status: "rejected", reason: UNAVAILABLE });
  expect(await storage.get("counters", "a")).toEqual(counter("a"));
  await storage.write((connection) => connection.script("pragma max_page_count = 1000000"));
  await storage.insert("counters", big("e"));
  const names = (
    await storage.find("counters", { where: {}, order: { by: "name", direction: "asc" }, limit: 9 })
  ).map(({ name }) => name);
  expect(names).toEqual(["a", "e"]);
});

test("after SQLite rolled back a batch, its transaction writes nothing more", async () => {
  await storage.insert("counters", counter("a"));
  const connection = await storage.write((writer) => writer);
  const outcome = storage.transaction(async (tx) => {
    await tx.insert("counters", counter("b"));
    // As SQLite does when the disk fails a statement.
    connection.run("rollback");
    await Promise.allSettled([
      tx.insert("counters", counter("c")),
      tx.update("counters", { name: "a" }, { count: 2 }),
    ]);
    tx.append("counters", [counter("d")]);
  });
  await expect(outcome).rejects.toMatchObject(UNAVAILABLE);
  expect(await storage.find("counters", { where: {}, limit: 9 })).toEqual([counter("a")]);
});

test("a transaction that hangs is rolled back at its deadline, and the next ones run", async () => {
  const late = Promise.withResolvers<unknown>();
  const { promise: over, resolve: proceed } = Promise.withResolvers<void>();
  const hanging = storage.transaction(async (tx) => {
    await tx.insert("counters", counter("a"));
    await over;
    const insert = tx.insert("counters", counter("b"));
    late.resolve(insert);
    await insert;
  });
  const behind = storage.insert("counters", counter("c"));
  await expect(hanging).rejects.toMatchObject(UNAVAILABLE);
  await behind;
  proceed();
  await expect(late.promise).rejects.toThrow("the transaction has ended");
  expect((await storage.find("counters", { where: {}, limit: 9 })).map(({ name }) => name)).toEqual(["c"]);
});

test("while another process holds the lock, writes wait without blocking the event loop", async () => {
  const other = new Database(path);
  other.exec("begin immediate");
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  let answered = false;
  const write = storage.insert("counters", counter("a")).then(() => {
    answered = true;
    return answered;
  });
  while (turns < 20) await new Promise((resolve) => setImmediate(resolve));
  expect(answered).toBe(false);
  other.exec("rollback");
  other.close();
  expect(await write).toBe(true);
  clearInterval(timer);
});

test("an invalid search document fails only its own transaction", async () => {
  const fields = { subject: [], text: ["word"], sender: [], recipients: [], attachments: [] };
  const bad = { message_id: "no id", account_id: "acct_1", inbox_id: "inb_1", thread_id: "thr_1", fields };
  const outcomes = await Promise.allSettled([
    storage.insert("counters", counter("a")),
    storage.transaction(async (tx) => tx.index([bad])),
    storage.insert("counters", counter("b")),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

test("run executes in the asynchronous context of its caller", async () => {
  const context = new AsyncLocalStorage<number>();
  const seen = await Promise.all(
    [1, 2, 3].map((name) => context.run(name, () => storage.transaction(async () => context.getStore()))),
  );
  expect(seen).toEqual([1, 2, 3]);
});

test("only what a transaction wrote that fails is gone, and the others run once", async () => {
  const error = fail("inbox_paused");
  const runs: string[] = [];
  const adds = (name: string, end?: () => void) =>
    storage.transaction(async (tx) => {
      runs.push(name);
      tx.append("counters", [counter(name)]);
      const { inserted } = await tx.insert("counters", counter("shared"));
      end?.();
      return inserted;
    });
  const outcomes = await Promise.allSettled([
    adds("a", () => {
      throw error;
    }),
    adds("b"),
    storage.insert("counters", counter("c")),
    adds("d", () => {
      throw error;
    }),
    adds("e"),
  ]);
  const failed = { status: "rejected", reason: error };
  expect(outcomes).toEqual([
    failed,
    { status: "fulfilled", value: true },
    { status: "fulfilled", value: { record: counter("c"), inserted: true } },
    failed,
    { status: "fulfilled", value: false },
  ]);
  expect(await namesOf(storage)).toEqual(["b", "c", "e", "shared"]);
  expect(runs.join("")).toBe("abde");
});

test("what a failing transaction met is on disk before its error is told", async () => {
  const { group, disk } = groupOnFailingDisk();
  const verbs = createVerbs(sqliteDialect);
  const insertOrFail = () =>
    group.submit((batch) =>
      runInBatch(
        batch,
        verbs,
        async (tx) => {
          tx.append("counters", [counter(String(Math.random()))]);
          const { inserted } = await tx.insert("counters", counter("mail"));
          if (!inserted) throw fail("inbox_paused");
        },
        1_000,
      ),
    );
  disk.fails = true;
  const outcomes = await Promise.allSettled([insertOrFail(), insertOrFail()]);
  for (const outcome of outcomes) expect(outcome).toMatchObject({ status: "rejected", reason: UNAVAILABLE });
  await group.finish();
});

test("an error of the caller is thrown as it is and affects no other write", async () => {
  const error = fail("inbox_paused");
  const outcomes = await Promise.allSettled([
    storage.transaction(async () => {
      throw error;
    }),
    storage.insert("counters", counter("a")),
    storage.insert("counters", { name: "b" } as never),
  ]);
  expect(outcomes[0]).toEqual({ status: "rejected", reason: error });
  expect(outcomes[1]).toMatchObject({ status: "fulfilled" });
  expect(outcomes[2]).toMatchObject({
    status: "rejected",
    reason: { message: expect.stringContaining("count, expires_at") },
  });
});

async function namesOf(from: SqliteStorage): Promise<string[]> {
  const found = await from.find("counters", {
    where: {},
    order: { by: "name", direction: "asc" },
    limit: 99,
  });
  return found.map(({ name }) => name);
}

function put(connection: Connection, name: string): void {
  connection.run("insert into counters (name, count, expires_at) values (?, 1, '')", name);
}

function pagesOf(connection: Connection): number {
  return Number(connection.row("pragma page_count")?.["page_count"]) + 2;
}

/** A group commit on a disk that may fail commits. */
function groupOnFailingDisk() {
  const disk = { fails: false, opened: 0 };
  const open = () => {
    disk.opened++;
    const connection = openWriter(path, 1_000);
    const run: Connection["run"] = (sql, ...parameters) => {
      if (sql === "commit" && disk.fails)
        throw new Database.SqliteError("disk I/O error", "SQLITE_IOERR_FSYNC");
      return connection.run(sql, ...parameters);
    };
    return { ...connection, run };
  };
  return { group: createGroupCommit(open(), open), disk };
}

/** A group commit on its own connection that counts commits. */
function countingGroup() {
  let count = 0;
  const open = () => {
    const connection = openWriter(path, 1_000);
    const run: Connection["run"] = (sql, ...parameters) => {
      if (sql === "commit") count++;
      return connection.run(sql, ...parameters);
    };
    return { ...connection, run };
  };
  const group = createGroupCommit(open(), open, {
    limits: {
      writes: 64,
      saturated_ms: 10_000,
      idle_ms: 10_000,
    },
  });
  return { group, commits: () => count };
}
