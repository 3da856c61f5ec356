import { closeSync, existsSync, fsyncSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { Row, SqlSession, SqlStatement } from "@letterslot/sql";
import Database from "better-sqlite3";

/** A connection that keeps its statements prepared and answers at once. */
export interface Connection extends SqlSession {
  rows(statement: SqlStatement): Row[];
  affected(statement: SqlStatement): number;
  /** Runs one statement by its text. */
  run(sql: string, ...parameters: unknown[]): number;
  /** The first row of a statement's answer. */
  row(sql: string, ...parameters: unknown[]): Row | undefined;
  /** Runs several statements by their text. */
  script(sql: string): void;
  inTransaction(): boolean;
  close(): void;
}

/** Pages of cache, as a negative number of KiB. */
const CACHE_KIB = -32_000;
/** How much of the file is read through the page cache of the system, without copying. */
const MMAP_BYTES = 256 * 1024 * 1024;
/**
 * Pages of the log after which a commit itself copies them into the database file: a thread does so long
 * before (`checkpoints.ts`).
 */
const CHECKPOINT_PAGES = 12_000;
/** What the log is cut back to after a burst. */
const WAL_BYTES = 64 * 1024 * 1024;

/**
 * How long opening waits for another process that is just opening or closing the same file: it has the file
 * for itself meanwhile.
 */
const OPEN_BUSY_MS = 10_000;

/**
 * Opens the writing connection; makes the file, for nobody else to read, when it isn't there. Once it is
 * open, a statement waits for another process's lock for at most `busy_ms`.
 */
export function openWriter(path: string, busy_ms: number): Connection {
  makeFile(path);
  const database = new Database(path, { timeout: OPEN_BUSY_MS });
  database.pragma("journal_mode = wal");
  database.pragma(`busy_timeout = ${busy_ms}`);
  // better-sqlite3's default in WAL mode is NORMAL, which loses committed mail on a power cut.
  database.pragma("synchronous = full");
  database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  database.pragma(`journal_size_limit = ${WAL_BYTES}`);
  return tune(database);
}

/** Opens a connection that only reads: it sees what is committed and never waits for the writer. */
export function openReader(path: string, busy_ms: number): Connection {
  const database = new Database(path, { timeout: busy_ms, fileMustExist: true });
  database.pragma("query_only = on");
  return tune(database);
}

function tune(database: Database.Database): Connection {
  database.pragma(`cache_size = ${CACHE_KIB}`);
  database.pragma(`mmap_size = ${MMAP_BYTES}`);
  database.pragma("temp_store = memory");
  const prepared = new Map<string, Database.Statement>();

  const prepare = (sql: string): Database.Statement => {
    let statement = prepared.get(sql);
    if (statement === undefined) {
      statement = database.prepare(sql);
      prepared.set(sql, statement);
    }
    return statement;
  };

  return {
    rows: ({ sql, parameters }) => prepare(sql).all(parameters) as Row[],
    affected: ({ sql, parameters }) => prepare(sql).run(parameters).changes,
    run: (sql, ...parameters) => prepare(sql).run(parameters).changes,
    row: (sql, ...parameters) => prepare(sql).get(parameters) as Row | undefined,
    script: (sql) => void database.exec(sql),
    inTransaction: () => database.inTransaction,
    close: () => void database.close(),
  };
}

/**
 * Mail is private: only the user that the service runs as may read the file. Its name must survive a power
 * cut too.
 */
function makeFile(path: string): void {
  // Closing the file would let go of all locks that this process's other connections have on it (POSIX,
  // `fcntl`).
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  const folder = openSync(dirname(path), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
