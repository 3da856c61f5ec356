import { closeSync, existsSync, fsyncSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { Row, SqlSession, SqlStatement } from "@letterslot/sql";
import Database from "better-sqlite3";
import { decodeLongTexts, longTextsAmong } from "./sqlite-dialect.ts";

/** A synchronous connection that keeps its statements prepared. */
export interface Connection extends SqlSession {
  rows(statement: SqlStatement): Row[];
  /** The rows one by one. Until it is read to its end or left, the connection can't run another statement. */
  iterate(statement: SqlStatement): IterableIterator<Row>;
  affected(statement: SqlStatement): number;
  /** Runs one statement by its text; returns the number of changed rows. */
  run(sql: string, ...parameters: unknown[]): number;
  /** Runs one statement by its text; returns the first row. */
  row(sql: string, ...parameters: unknown[]): Row | undefined;
  /** Runs several statements by their text. */
  script(sql: string): void;
  inTransaction(): boolean;
  close(): void;
}

/** The page cache of a connection. */
export const CACHE_KIB = 32_000;
/** The number of bytes of the file that are memory-mapped: read from the system's page cache without copying. */
const MMAP_BYTES = 256 * 1024 * 1024;
/** The log length at which a commit makes a checkpoint itself; `checkpoints.ts` does so earlier. */
export const AUTOCHECKPOINT_PAGES = 20_000;
/** The size to which the log is truncated after a burst. */
const MAX_WAL_BYTES = 64 * 1024 * 1024;
/** The time that opening waits for another process, which locks the file while it opens or closes it. */
const OPEN_BUSY_MS = 10_000;

/**
 * Opens the writing connection; creates the file, readable by this user only, if needed. Once it is open, a
 * statement waits at most `busy_ms` for another process's lock.
 */
export function openWriter(path: string, busy_ms: number): Connection {
  createFile(path);
  const database = new Database(path, { timeout: OPEN_BUSY_MS });
  database.pragma("journal_mode = wal");
  database.pragma(`busy_timeout = ${busy_ms}`);
  // better-sqlite3's default in WAL mode is NORMAL, which loses committed mail on a power cut.
  database.pragma("synchronous = full");
  database.pragma(`wal_autocheckpoint = ${AUTOCHECKPOINT_PAGES}`);
  database.pragma(`journal_size_limit = ${MAX_WAL_BYTES}`);
  return tune(database);
}

/** Opens a read-only connection: it sees committed data and never waits for the writer. */
export function openReader(path: string, busy_ms: number): Connection {
  const database = new Database(path, { timeout: busy_ms, fileMustExist: true });
  database.pragma("query_only = on");
  return tune(database);
}

function tune(database: Database.Database): Connection {
  // SQLite takes KiB as a negative number.
  database.pragma(`cache_size = -${CACHE_KIB}`);
  database.pragma(`mmap_size = ${MMAP_BYTES}`);
  database.pragma("temp_store = memory");
  const prepared = new Map<string, { statement: Database.Statement; long_texts: string[] }>();

  const prepare = (sql: string) => {
    let known = prepared.get(sql);
    if (known === undefined) {
      const statement = database.prepare(sql);
      const columns = statement.reader ? statement.columns().map(({ name }) => name) : [];
      known = { statement, long_texts: longTextsAmong(columns) };
      prepared.set(sql, known);
    }
    return known;
  };

  function* iterate({ sql, parameters }: SqlStatement): Generator<Row, undefined> {
    const { statement, long_texts } = prepare(sql);
    for (const row of statement.iterate(parameters)) yield decodeLongTexts(row as Row, long_texts);
  }

  return {
    rows({ sql, parameters }) {
      const { statement, long_texts } = prepare(sql);
      const rows = statement.all(parameters) as Row[];
      if (long_texts.length > 0) for (const row of rows) decodeLongTexts(row, long_texts);
      return rows;
    },
    iterate,
    affected: ({ sql, parameters }) => prepare(sql).statement.run(parameters).changes,
    run: (sql, ...parameters) => prepare(sql).statement.run(parameters).changes,
    row: (sql, ...parameters) => prepare(sql).statement.get(parameters) as Row | undefined,
    script: (sql) => void database.exec(sql),
    inTransaction: () => database.inTransaction,
    close: () => void database.close(),
  };
}

/** Creates the file for this user only, since mail is private, and syncs its name against a power cut. */
function createFile(path: string): void {
  // Only if it is missing: closing a file releases all locks that this process has on it (POSIX `fcntl`).
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  const folder = openSync(dirname(path), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
