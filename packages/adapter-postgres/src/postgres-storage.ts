import { AsyncLocalStorage } from "node:async_hooks";
import { fail, type Storage, type TransactionIntent } from "@letterslot/core";
import { createVerbs, type Row } from "@letterslot/sql";
import type { Kysely } from "kysely";
import pg from "pg";
import type { Database } from "./database.ts";
import { checkCommitsAreDurable } from "./durable-commits.ts";
import { createGatherer } from "./gather-writes.ts";
import { checkSchemaName } from "./identifier.ts";
import { type AnyKysely, databaseOfKysely } from "./kysely-database.ts";
import { migrate } from "./migrate.ts";
import { createNotifications, type Notifications } from "./notifications.ts";
import { databaseOfPool } from "./pool-database.ts";
import { createPostgresDialect } from "./postgres-dialect.ts";
import { isClash, outwardError } from "./postgres-trouble.ts";
import { type ClashCounts, createTransactions, type TransactionParts } from "./run-transaction.ts";
import { createSearchStatements } from "./search-index.ts";
import { searchOn, sessionOf } from "./session.ts";
import { storageWithin } from "./storage-within.ts";

/**
 * How a storage is opened: with a connection string, a pool of pg, or a Kysely; the latter two stay their
 * owner's to close.
 */
export interface PostgresStorageOptions {
  /** Where the database is. With `kysely` it is used to listen for notifications only. */
  connection_string?: string;
  pool?: pg.Pool;
  // biome-ignore lint/suspicious/noExplicitAny: an embedder's tables are none of our business
  kysely?: Kysely<any>;
  /** The schema that the tables lie in; made when it isn't there. Default: `letterslot`. */
  schema?: string;
  /** Connections at most, one more than that to listen. Default: 10. Only with `connection_string`. */
  pool_size?: number;
  /** How long to wait for a connection. Default: 10,000. Only with `connection_string`. */
  connect_timeout_ms?: number;
  /** The server ends a statement that takes longer. Default: 15,000. Only with `connection_string`. */
  statement_timeout_ms?: number;
  /**
   * The server ends a statement that waits longer for a lock. Default: 5,000. Only with `connection_string`.
   */
  lock_timeout_ms?: number;
  /** A transaction whose `run` takes longer is rolled back. Default: 10,000. */
  transaction_timeout_ms?: number;
  /** Whether statements are kept prepared on their connection; some poolers can't. Default: true. */
  prepared_statements?: boolean;
}

/** Storage in one schema of a PostgreSQL database, and the way in for what else lies there. */
export interface PostgresStorage extends Storage {
  schema: string;
  database: Database;
  notifications: Notifications;
  /** How often transactions clashed. */
  clashes: Readonly<ClashCounts>;
  /**
   * The same storage within an embedder's open transaction: a client of pg that has begun one, or a Kysely
   * transaction. What it writes is committed or rolled back with it. The isolation is the embedder's choice;
   * nothing is run again.
   */
  within(transaction: pg.ClientBase | Pick<AnyKysely, "executeQuery">): Storage;
}

/**
 * Opens the storage and brings its schema up to date; throws when it was brought up by a newer version, or
 * when commits are answered before they are on disk. Trouble with the database is `storage_unavailable` and
 * passes with it.
 */
export async function createPostgresStorage(options: PostgresStorageOptions): Promise<PostgresStorage> {
  const { schema = "letterslot", transaction_timeout_ms = 10_000 } = options;
  checkSchemaName(schema);
  await migrateWith(options, schema);
  const database = databaseOf(options);
  await checkCommits(database);
  const search = createSearchStatements(schema);
  const parts: TransactionParts = {
    verbs: createVerbs(createPostgresDialect(schema)),
    search,
    gather: createGatherer(schema, search),
    transaction_timeout_ms,
  };
  return storageOn(database, schema, parts, options.prepared_statements ?? true);
}

function storageOn(
  database: Database,
  schema: string,
  parts: TransactionParts,
  prepare: boolean,
): PostgresStorage {
  const { verbs, search } = parts;
  const { transaction, counts } = createTransactions(database, parts);
  const notifications = createNotifications(database, `letterslot_${schema}`);
  const inside = new AsyncLocalStorage<{ ended: boolean }>();
  const underWay = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;
  const session = sessionOf(database);
  const reading = sessionOf({ run: database.read });

  const outward = async <T>(run: () => Promise<T>): Promise<T> => {
    if (closing !== undefined) throw new Error("the storage is closed");
    if (inside.getStore()?.ended === false)
      throw new Error("the outer storage was used inside a transaction");
    const work = run();
    underWay.add(work);
    try {
      return await work;
    } catch (error) {
      throw outwardError(error);
    } finally {
      underWay.delete(work);
    }
  };
  const finish = async () => {
    await Promise.allSettled(underWay);
    await notifications.close();
    await database.close();
  };

  const storage = {
    schema,
    database,
    notifications,
    clashes: counts,
    within: (owner: pg.ClientBase) => storageWithin(owner, parts, prepare),
    get: (table: never, id: string) => outward(() => verbs.get(reading, table, id)),
    find: (table: never, query: never) => outward(() => verbs.find(reading, table, query)),
    count: (table: never, where: Row, up_to: number) =>
      outward(() => verbs.count(reading, table, where, up_to)),
    search: (query: never) => outward(() => searchOn(database, search, query)),
    insert: (table: never, record: Row) => outward(() => again(() => verbs.insert(session, table, record))),
    update: (table: never, where: Row, change: Row) =>
      outward(() => again(() => verbs.update(session, table, where, change))),
    delete: (table: never, where: Row) => outward(() => again(() => verbs.delete(session, table, where))),
    transaction: (run: Parameters<Storage["transaction"]>[0], intent?: TransactionIntent) =>
      outward(() =>
        transaction(async (tx) => {
          const scope = { ended: false };
          try {
            return await inside.run(scope, () => run(tx));
          } finally {
            scope.ended = true;
          }
        }, intent),
      ),
    ping: () => outward(() => ping(database)),
    close() {
      closing ??= finish();
      return closing;
    },
  };
  return storage as unknown as PostgresStorage;
}

/** How much longer than the server's own time-out an answer is waited for. */
const SILENCE_MS = 5_000;
/** How often a single write is tried that stands in a ring of writes waiting for each other. */
const WRITE_TRIES = 5;

/** Runs a single write, again when PostgreSQL took it back for the sake of others. */
async function again<T>(write: () => Promise<T>, tries = WRITE_TRIES): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (tries <= 1 || !isClash(error)) throw error;
    return again(write, tries - 1);
  }
}

/** A database that only reads, as after a switch to another one, can't do our work. */
async function ping(database: Database): Promise<void> {
  const sql = "select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as only_reads";
  const { rows } = await database.run({ sql, parameters: [] });
  if (rows[0]?.["only_reads"] === true)
    throw fail("storage_unavailable", { message: "The database is read-only." });
}

async function checkCommits(database: Database): Promise<void> {
  try {
    await checkCommitsAreDurable(database);
  } catch (error) {
    await database.close();
    throw outwardError(error);
  }
}

/** Migrates on a connection without the time-outs of daily work, where it is ours to open one. */
async function migrateWith(options: PostgresStorageOptions, schema: string): Promise<void> {
  const database = databaseOf({ ...options, pool_size: 0, statement_timeout_ms: 0, lock_timeout_ms: 0 });
  try {
    await migrate(database, schema);
  } catch (error) {
    throw outwardError(error);
  } finally {
    await database.close();
  }
}

function databaseOf(options: PostgresStorageOptions): Database {
  const { connection_string, pool, kysely, prepared_statements: prepare = true } = options;
  if (kysely !== undefined)
    return databaseOfKysely(
      kysely,
      connection_string === undefined ? undefined : { connectionString: connection_string },
    );
  if (pool !== undefined) return databaseOfPool(pool, { own: false, prepare });
  if (connection_string === undefined) throw new Error("give one of connection_string, pool and kysely");
  const { pool_size = 10, transaction_timeout_ms = 10_000, statement_timeout_ms = 15_000 } = options;
  const config = {
    connectionString: connection_string,
    // One more than asked for: the one that listens.
    max: pool_size + 1,
    connectionTimeoutMillis: options.connect_timeout_ms ?? 10_000,
    statement_timeout: statement_timeout_ms,
    lock_timeout: options.lock_timeout_ms ?? 5_000,
    // A server that is silent ends nothing; 0 is for ever.
    query_timeout: statement_timeout_ms === 0 ? 0 : statement_timeout_ms + SILENCE_MS,
    // A process that froze must not keep its locks.
    idle_in_transaction_session_timeout: 2 * transaction_timeout_ms,
    application_name: "letterslot",
    keepAlive: true,
    // Statements that are given at once go out at once.
    pipeline: true,
  };
  return databaseOfPool(new pg.Pool(config), { own: true, prepare });
}
