import type { Storage } from "@letterslot/core/ports";
import { createSqlStorage, createVerbs, type SqlSession } from "@letterslot/sql";
import { createCheckpoints } from "./checkpoints/checkpoints.ts";
import { rewriteWal } from "./checkpoints/rewrite-wal.ts";
import { type Connection, openReader, openWriter } from "./connection.ts";
import { type Batch, createGroupCommit, runInBatch } from "./group-commit/index.ts";
import { createLongReads } from "./long-reads.ts";
import { migrate } from "./schema.ts";
import { createBulkLoads } from "./search/bulk-loads.ts";
import { searchIndex } from "./search/search-index.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { toPublicError } from "./sqlite-errors.ts";

/** Options for opening a SQLite storage. */
export interface SqliteStorageOptions {
  /** The database file, in a folder that exists. SQLite keeps two more files beside it, `-wal` and `-shm`. */
  path: string;
  /** A transaction that takes longer is rolled back, so that it can't block the others. Default: 10,000. */
  transactionTimeoutMs?: number;
  /** Promises that no other process writes to the file meanwhile, as a lock ensures. Allows a read cache. */
  exclusive?: boolean;
}

/** Storage in one SQLite file, with access for other data stored in that file. */
export interface SqliteStorage extends Storage {
  /** Runs a single write; resolves once it is on disk. */
  write<T>(run: (connection: Connection) => T): Promise<T>;
  /** Reads committed data. */
  read<T>(run: (connection: Connection) => T): Promise<T>;
}

/** The time that migration waits for another process that migrates the same file. */
const MIGRATE_BUSY_MS = 10_000;
/** The group commit retries without blocking the event loop, so SQLite itself must not wait. */
const WRITE_BUSY_MS = 0;
const READ_BUSY_MS = 1_000;

const verbs = createVerbs(sqliteDialect);

/**
 * Opens the storage and migrates it; throws when the file was made by a newer version. Concurrent writes
 * share a commit, and so a sync; each resolves once it is on disk. While the disk fails, verbs throw
 * `storage_unavailable`; they work again afterwards.
 */
export function createSqliteStorage(options: SqliteStorageOptions): SqliteStorage {
  const { path, transactionTimeoutMs: transaction_timeout_ms = 10_000, exclusive = false } = options;
  openMigrated(path);
  const reopen = () => openWriter(path, WRITE_BUSY_MS);
  const checkpoints = createCheckpoints(path);
  const group = createGroupCommit(reopen(), reopen, { onCommit: checkpoints.follow });
  // Stays open when a failing disk makes us replace the writer: it keeps SQLite's index of the log in shared
  // memory, which would otherwise be rebuilt from the disk.
  const reader = openReader(path, READ_BUSY_MS);
  const connection = () => group.committed() ?? reader;
  const longReads = createLongReads(() => openReader(path, READ_BUSY_MS));
  const bulkLoads = createBulkLoads(group, reader);

  const { storage, guard } = createSqlStorage(verbs, {
    read: (run) => run(longReads.session(connection)),
    write: (run) => group.submit((batch) => run(notingSession(batch))),
    search: async (query) => searchIndex(connection(), query),
    transaction: (run, intent) =>
      group.submit((batch) => runInBatch(batch, verbs, run, transaction_timeout_ms), intent),
    ping: async () => void connection().row("select 1"),
    async close() {
      await bulkLoads.close();
      await group.finish();
      await checkpoints.close();
      longReads.close();
      reader.close();
    },
    toPublicError,
  });
  return {
    ...storage,
    ...(exclusive ? { version: group.version } : {}),
    bulkLoad: bulkLoads.run,
    read: (run) => guard(async () => run(connection())),
    write: (run) =>
      guard(() =>
        group.submit((batch) => {
          batch.changed.noteAny();
          return run(batch.connection);
        }),
      ),
  };
}

/** A session on a batch's connection that notes which tables it changes. */
function notingSession(batch: Batch): SqlSession {
  const { connection, changed } = batch;
  return {
    rows(statement) {
      changed.note(statement);
      return connection.rows(statement);
    },
    affected(statement) {
      changed.note(statement);
      return connection.affected(statement);
    },
  };
}

/** Migrates on a separate connection, which may wait long for another process that does the same. */
function openMigrated(path: string): void {
  const connection = openWriter(path, MIGRATE_BUSY_MS);
  try {
    rewriteWal(connection, path);
    migrate(connection);
  } finally {
    connection.close();
  }
}
