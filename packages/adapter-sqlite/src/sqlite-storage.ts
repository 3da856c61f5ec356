import { AsyncLocalStorage } from "node:async_hooks";
import type { Storage } from "@letterslot/core";
import { createVerbs, type Row } from "@letterslot/sql";
import { createCheckpoints } from "./checkpoints.ts";
import { type Connection, openReader, openWriter } from "./connection.ts";
import { type Batch, createGroupCommit } from "./group-commit.ts";
import { migrate } from "./migrate.ts";
import { renewLog } from "./renew-log.ts";
import { runTransaction } from "./run-transaction.ts";
import { searchIndex } from "./search-index.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { outwardError } from "./sqlite-trouble.ts";

/** How a storage is opened. */
export interface SqliteStorageOptions {
  /** The database file; its folder must exist. Beside it lie `-wal` and `-shm`, which belong to it. */
  path: string;
  /**
   * A transaction whose `run` takes longer is rolled back, so that it can't block the others for ever.
   * Default: 10,000.
   */
  transaction_timeout_ms?: number;
  /**
   * No other process writes to the file while it is open, which a lock must make sure of: then what nearly
   * each call reads is remembered.
   */
  exclusive?: boolean;
}

/** Storage in one SQLite file, and the way in for what else lies in that file. */
export interface SqliteStorage extends Storage {
  /** Runs one statement's worth of writing; resolves once it is on disk. */
  write<T>(run: (connection: Connection) => T): Promise<T>;
  /** Reads what is committed. */
  read<T>(run: (connection: Connection) => T): Promise<T>;
}

/** How long another process may take to bring the same file up to date. */
const MIGRATE_BUSY_MS = 10_000;
/** The writer waits without holding up the event loop, so SQLite itself need not. */
const WRITE_BUSY_MS = 0;
const READ_BUSY_MS = 1_000;

const verbs = createVerbs(sqliteDialect);

/**
 * Opens the storage and brings its schema up to date; throws when the file was made by a newer version.
 * Writes that wait together share a commit, and so a sync; each resolves once it is on disk. Trouble with the
 * disk is `storage_unavailable` and passes with it.
 */
export function createSqliteStorage(options: SqliteStorageOptions): SqliteStorage {
  const { path, transaction_timeout_ms = 10_000, exclusive = false } = options;
  openMigrated(path);
  const openAgain = () => openWriter(path, WRITE_BUSY_MS);
  const checkpoints = createCheckpoints(path);
  const group = createGroupCommit(openAgain(), openAgain, { committed: checkpoints.follow });
  // It stays while the disk fails and the writer is replaced: with it stays where the log ends, which SQLite
  // would read anew otherwise.
  const reader = openReader(path, READ_BUSY_MS);
  const inside = new AsyncLocalStorage<{ ended: boolean }>();
  let closing: Promise<void> | undefined;

  const check = () => {
    if (closing !== undefined) throw new Error("the storage is closed");
    if (inside.getStore()?.ended === false)
      throw new Error("the outer storage was used inside a transaction");
  };
  const read = async <T>(run: (connection: Connection) => T | Promise<T>): Promise<T> => {
    check();
    try {
      return await run(group.settled() ?? reader);
    } catch (error) {
      throw outwardError(error);
    }
  };
  const write = async <T>(run: (batch: Batch) => T | Promise<T>): Promise<T> => {
    check();
    return group.submit(run);
  };

  const finish = async () => {
    await group.finish();
    await checkpoints.close();
    reader.close();
  };

  const storage = {
    read,
    write: (run: (connection: Connection) => unknown) => write(({ connection }) => run(connection)),
    get: (table: never, id: string) => read((session) => verbs.get(session, table, id)),
    find: (table: never, query: never) => read((session) => verbs.find(session, table, query)),
    count: (table: never, where: Row, up_to: number) =>
      read((session) => verbs.count(session, table, where, up_to)),
    search: (query: never) => read((connection) => searchIndex(connection, query)),
    insert: (table: never, record: Row) => write(({ connection }) => verbs.insert(connection, table, record)),
    update: (table: never, where: Row, change: Row) =>
      write(({ connection }) => verbs.update(connection, table, where, change)),
    delete: (table: never, where: Row) => write(({ connection }) => verbs.delete(connection, table, where)),
    transaction: (run: Parameters<Storage["transaction"]>[0]) =>
      write(async (batch) => {
        const scope = { ended: false };
        try {
          return await inside.run(scope, () => runTransaction(batch, verbs, run, transaction_timeout_ms));
        } finally {
          scope.ended = true;
        }
      }),
    ...(exclusive ? { version: group.commits } : {}),
    ping: () => read((connection) => void connection.row("select 1")),
    close() {
      closing ??= finish();
      return closing;
    },
  };
  return storage as unknown as SqliteStorage;
}

/** The schema is brought up to date on a connection that may wait long for another process doing the same. */
function openMigrated(path: string): void {
  const connection = openWriter(path, MIGRATE_BUSY_MS);
  try {
    renewLog(connection, path);
    migrate(connection);
  } finally {
    connection.close();
  }
}
