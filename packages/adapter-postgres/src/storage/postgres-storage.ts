import { fail, type Storage } from "@letterslot/core/ports";
import { createSqlStorage, createVerbs } from "@letterslot/sql";
import type { Kysely } from "kysely";
import pg from "pg";
import type { Database } from "../connections/database.ts";
import { type AnyKysely, databaseOfKysely } from "../connections/kysely-database.ts";
import { databaseOfPool } from "../connections/pool-database.ts";
import { createNotifications, type Notifications } from "../ports/notifications.ts";
import { checkSchemaName, migrate } from "../schema.ts";
import { createSearchStatements } from "../search/search-index.ts";
import { createSearchUpkeep } from "../search/search-upkeep.ts";
import { createMergeStatements } from "../statements/merge-statements.ts";
import type { TransactionServices } from "./attempt-transaction.ts";
import { createNestedStorage } from "./nested-storage.ts";
import { createPostgresDialect } from "./postgres-dialect.ts";
import { isClash, toPublicError } from "./postgres-errors.ts";
import { searchOn, sessionOn } from "./session.ts";
import { type ClashCounts, createTransactions } from "./transactions.ts";

/**
 * Options for opening a storage: a connection string, a pool of pg or a Kysely. A pool or Kysely is closed by its
 * owner.
 */
export interface PostgresStorageOptions {
  /** The URL of the database. With `kysely` it is only used to listen for notifications. */
  connectionString?: string;
  pool?: pg.Pool;
  // biome-ignore lint/suspicious/noExplicitAny: an embedder's tables are none of our business
  kysely?: Kysely<any>;
  /** The schema of the tables; created if needed. Default: `letterslot`. */
  schema?: string;
  /** The maximum number of connections, plus one to listen. Default: 10. Only with `connectionString`. */
  poolSize?: number;
  /** Time limit for opening a connection. Default: 10,000. Only with `connectionString`. */
  connectTimeoutMs?: number;
  /** The server cancels a statement that takes longer. Default: 15,000. Only with `connectionString`. */
  statementTimeoutMs?: number;
  /**
   * The server cancels a statement that waits longer for a lock, unless a transaction waits for its turn. Default:
   * 5,000. Only with `connectionString`.
   */
  lockTimeoutMs?: number;
  /** A transaction that takes longer is rolled back. Default: 10,000. */
  transactionTimeoutMs?: number;
  /** Whether statements are prepared; some poolers don't support it. Default: true. */
  preparedStatements?: boolean;
}

/** Storage in one schema of a PostgreSQL database, with access for other data stored there. */
export interface PostgresStorage extends Storage {
  schema: string;
  database: Database;
  notifications: Notifications;
  /** The numbers of transaction conflicts so far. */
  clashes: Readonly<ClashCounts>;
  /**
   * The same storage within an embedder's open transaction: a client of pg after `begin`, or a Kysely
   * transaction. Its writes are committed or rolled back with that. The embedder chooses the isolation level;
   * there are no retries.
   */
  within(transaction: pg.ClientBase | Pick<AnyKysely, "executeQuery">): Storage;
}

/** The time we wait for an answer beyond the server's own time-out. */
const SILENCE_MS = 5_000;
/**
 * Each query has its index. An analysed small table would be scanned all the same, and a scan in a serializable
 * transaction conflicts with every change of the table: transactions of different accounts would clash. Where a scan
 * can't be avoided, its estimated cost must not trigger JIT compilation.
 */
const BY_INDEX = "set enable_seqscan = off; set jit = off";
/** The maximum number of attempts for a single write that conflicts with others. */
const MAX_WRITE_TRIES = 5;

/**
 * Opens the storage and migrates it. Throws when a newer version has migrated it, or when the server
 * acknowledges commits before they are on disk. While the database fails, verbs throw `storage_unavailable`;
 * they work again afterwards.
 */
export async function createPostgresStorage(options: PostgresStorageOptions): Promise<PostgresStorage> {
  const {
    schema = "letterslot",
    transactionTimeoutMs: transaction_timeout_ms = 10_000,
    preparedStatements: prepared_statements = true,
  } = options;
  checkSchemaName(schema);
  await migrateWith(options, schema);
  const database = openDatabase({ ...options, settings: BY_INDEX });
  await checkCommitsAreDurable(database);
  const upkeep = createSearchUpkeep(database, schema);
  const search = upkeep.watch(createSearchStatements(schema));
  const verbs = createVerbs(createPostgresDialect(schema));
  const mergeStatements = createMergeStatements(schema, search);
  const services: TransactionServices = { schema, verbs, search, mergeStatements, transaction_timeout_ms };
  const { transaction, counts } = createTransactions(database, services);
  const notifications = createNotifications(database, `letterslot_${schema}`);
  const session = sessionOn(database);
  const reading = sessionOn({ run: database.read });

  const { storage } = createSqlStorage(verbs, {
    read: (run) => run(reading),
    write: (run) => retryClashes(() => run(session)),
    search: (query) => searchOn(database, search, query),
    transaction,
    ping: () => ping(database),
    async close() {
      upkeep.close();
      await notifications.close();
      await database.close();
    },
    toPublicError,
  });
  return {
    ...storage,
    schema,
    database,
    notifications,
    clashes: counts,
    within: (owner) => createNestedStorage(owner, services, prepared_statements),
  };
}

/** Runs a single write, again when it clashed with others. */
async function retryClashes<T>(write: () => Promise<T>, tries = MAX_WRITE_TRIES): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (tries <= 1 || !isClash(error)) throw error;
    return retryClashes(write, tries - 1);
  }
}

/** Throws for a read-only database too, such as a standby after a failover. */
async function ping(database: Database): Promise<void> {
  const sql = "select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only";
  const { rows } = await database.run({ sql, parameters: [] });
  if (rows[0]?.["read_only"] === true)
    throw fail("storage_unavailable", { message: "The database is read-only." });
}

/**
 * Closes the database and throws when the server acknowledges commits before they are on disk, as
 * `synchronous_commit = off` makes it: a power cut would lose acknowledged mail. How far replicas must have a
 * commit is up to the operator.
 */
async function checkCommitsAreDurable(database: Database): Promise<void> {
  const sql = "select current_setting('synchronous_commit') as setting";
  try {
    const { rows } = await database.run({ sql, parameters: [] });
    if (rows[0]?.["setting"] !== "off") return;
    throw new Error(
      "PostgreSQL has synchronous_commit = off, so a power cut could lose acknowledged mail. " +
        "Set it to on for this role or database: alter role … set synchronous_commit = on",
    );
  } catch (error) {
    await database.close();
    throw toPublicError(error);
  }
}

/** Migrates without the usual time-outs, if the connection is ours to open. */
async function migrateWith(options: PostgresStorageOptions, schema: string): Promise<void> {
  const database = openDatabase({
    ...options,
    settings: undefined,
    poolSize: 0,
    statementTimeoutMs: 0,
    lockTimeoutMs: 0,
  });
  try {
    await migrate(database, schema);
  } catch (error) {
    throw toPublicError(error);
  } finally {
    await database.close();
  }
}

function openDatabase(options: PostgresStorageOptions & { settings: string | undefined }): Database {
  const { connectionString, pool, kysely, preparedStatements: prepare = true } = options;
  if (kysely !== undefined)
    return databaseOfKysely(kysely, connectionString === undefined ? undefined : { connectionString });
  if (pool !== undefined) return databaseOfPool(pool, { own: false, prepare });
  if (connectionString === undefined) throw new Error("pass one of connectionString, pool and kysely");
  const {
    poolSize: pool_size = 10,
    transactionTimeoutMs: transaction_timeout_ms = 10_000,
    statementTimeoutMs: statement_timeout_ms = 15_000,
  } = options;
  const config = {
    connectionString,
    // One more for the listener.
    max: pool_size + 1,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 10_000,
    statement_timeout: statement_timeout_ms,
    lock_timeout: options.lockTimeoutMs ?? 5_000,
    // For a server that doesn't answer at all; 0 waits forever.
    query_timeout: statement_timeout_ms === 0 ? 0 : statement_timeout_ms + SILENCE_MS,
    // A frozen process must not keep its locks.
    idle_in_transaction_session_timeout: 2 * transaction_timeout_ms,
    application_name: "letterslot",
    keepAlive: true,
    // Sends statements without waiting for earlier answers.
    pipeline: true,
  };
  // A pooler would hand them to its other clients.
  const settings = prepare ? options.settings : undefined;
  return databaseOfPool(new pg.Pool(config), {
    own: true,
    prepare,
    ...(settings !== undefined && { settings }),
  });
}
