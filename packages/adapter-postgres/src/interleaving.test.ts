import type { Storage, Transaction } from "@letterslot/core";
import { storageOrderKit } from "@letterslot/core/conformance";
import { createVerbs } from "@letterslot/sql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshDatabase } from "../test/fresh-database.ts";
import { attemptTransaction, NO_SAVEPOINT, SERIALIZABLE, withinTransaction } from "./attempt-transaction.ts";
import { NotSerializable } from "./conflict-graph.ts";
import { createInterleaving } from "./interleaving.ts";
import { withLazyConnection } from "./lazy-connection.ts";
import { createMergeStatements } from "./merge-statements.ts";
import { createPostgresDialect } from "./postgres-dialect.ts";
import { createPostgresStorage, type PostgresStorage } from "./postgres-storage.ts";
import { createSearchStatements } from "./search-index.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;
let made = 0;
const ended = { interleaved: 0, unserializable: 0, failed: 0 };

beforeAll(async () => {
  database = await freshDatabase();
}, 120_000);

afterAll(() => database.drop());

type Run = (tx: Transaction) => Promise<unknown>;
interface Waiting {
  run: Run;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** A storage whose transactions of one tick are always interleaved; those that can't be run in turn. */
function interleavingStorage(storage: PostgresStorage): Storage {
  const { schema } = storage;
  const search = createSearchStatements(schema);
  const mergeStatements = createMergeStatements(schema, search);
  const verbs = createVerbs(createPostgresDialect(schema));
  const services = { verbs, search, mergeStatements, timeout_ms: 10_000, onChange: () => undefined };

  const interleave = async (runs: readonly Run[]): Promise<unknown[]> => {
    let results: unknown[] = [];
    await withLazyConnection(storage.database, (lent) =>
      withinTransaction(lent, SERIALIZABLE, async (connection) => {
        const { join, sendRest } = createInterleaving(connection, mergeStatements);
        const attempts = runs.map((run) =>
          attemptTransaction({ ...services, connection, brackets: NO_SAVEPOINT, interleaved: join() }, run),
        );
        const outcomes = await Promise.allSettled(attempts);
        const errors = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
        if (errors.length > 0) throw errors.find((error) => error instanceof NotSerializable) ?? errors[0];
        results = outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value);
        return sendRest;
      }),
    );
    return results;
  };
  const settle = async (waiting: readonly Waiting[]) => {
    try {
      const results = await interleave(waiting.map(({ run }) => run));
      ended.interleaved++;
      for (const [index, { resolve }] of waiting.entries()) resolve(results[index]);
    } catch (error) {
      ended[error instanceof NotSerializable ? "unserializable" : "failed"]++;
      for (const { run, resolve, reject } of waiting) await storage.transaction(run).then(resolve, reject);
    }
  };

  let waiting: Waiting[] = [];
  const transaction = (run: Run) =>
    new Promise((resolve, reject) => {
      waiting.push({ run, resolve, reject });
      if (waiting.length > 1) return;
      setImmediate(() => {
        void settle(waiting);
        waiting = [];
      });
    });
  return { ...storage, transaction: transaction as Storage["transaction"] };
}

storageOrderKit({
  test,
  async open() {
    const storage = await createPostgresStorage({
      connection_string: database.url,
      schema: `order_${++made}`,
    });
    return { storage: interleavingStorage(storage), close: () => storage.close() };
  },
});

describe("writes of two transactions in turns", () => {
  const appends = (count: number, from: string) =>
    Array.from({ length: count }, (_, index) => {
      const record = { name: `${from} ${index}`, count: 1, expires_at: "" };
      return { table: "counters", append: verbs.append("counters", record) } as const;
    });
  const verbs = createVerbs(createPostgresDialect("unused"));
  const inTurns = async (count: number) => {
    const run = async () => ({ rows: [], count: 0, command: "" });
    const { join } = createInterleaving(
      { run },
      createMergeStatements("unused", createSearchStatements("unused")),
    );
    const [one, other] = [join(), join()];
    await one.send(appends(count, "first"), []);
    await other.send(appends(count, "second"), []);
    return one.send(appends(count, "third"), []);
  };

  test("are compared record by record where they are few", async () => {
    expect(await inTurns(16)).toEqual([]);
  });

  test("are compared by their table alone where they are many, which costs the same however many they are", async () => {
    await expect(inTurns(17)).rejects.toThrow(NotSerializable);
  });
});

test("many of them could be interleaved, and many could not", () => {
  expect(ended.interleaved).toBeGreaterThan(100);
  expect(ended.unserializable).toBeGreaterThan(100);
});
