import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { fail, type SearchQuery, type Storage } from "@letterslot/core/ports";
import {
  type BufferedWrite,
  createRecordLocks,
  createSqlStorage,
  createVerbs,
  type Row,
  runTransaction,
  type SqlStatement,
  type TransactionSession,
} from "@letterslot/sql";
import { dialect } from "./dialect.ts";
import { migrate } from "./schema.ts";
import { indexStatement, searchStatement, unindexStatement } from "./search-index.ts";

/** The verbs of the storage port, as statements in our dialect. */
export const verbs = createVerbs(dialect);

/**
 * A storage over `node:sqlite`, in a file or in `:memory:`. It has one connection and runs one thing at a
 * time, which keeps every promise of the port; a pool of connections would run reads side by side.
 */
export function openNodeSqliteStorage(path: string): Storage {
  const database = new DatabaseSync(path);
  database.exec("pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 5000");
  migrate(database);
  const session = sessionOn(database);
  const locks = createRecordLocks();
  const alone = <T>(run: () => Promise<T>): Promise<T> => locks.hold("connection", run);

  return createSqlStorage(verbs, {
    read: (run) => alone(() => run(session)),
    write: (run) => alone(() => run(session)),
    search: (query) => alone(async () => session.search(query)),
    transaction: (run) =>
      alone(() =>
        runTransaction(verbs, session, run, {
          timeout_ms: 10_000,
          begin: () => database.exec("begin immediate"),
          commit: () => database.exec("commit"),
          rollback: () => {
            if (database.isTransaction) database.exec("rollback");
          },
        }),
      ),
    ping: () => alone(async () => database.exec("select 1")),
    close: async () => database.close(),
    toPublicError,
  }).storage;
}

/** Runs the verbs' statements on a connection. */
function sessionOn(database: DatabaseSync): TransactionSession {
  const rows = ({ sql, parameters }: SqlStatement): Row[] => {
    const found = database.prepare(sql).all(...(parameters as SQLInputValue[]));
    // Records are plain objects; this driver's rows have no prototype.
    return found.map((row) => ({ ...row }));
  };
  const affected = ({ sql, parameters }: SqlStatement): number =>
    Number(database.prepare(sql).run(...(parameters as SQLInputValue[])).changes);
  return {
    rows,
    affected,
    send(writes: BufferedWrite[]) {
      for (const write of writes) affected(statementOf(write));
    },
    search(query: SearchQuery) {
      const statement = searchStatement(query);
      return statement === undefined ? [] : rows(statement).map((row) => String(row["message_id"]));
    },
  };
}

function statementOf(write: BufferedWrite): SqlStatement {
  if ("append" in write) return write.append;
  if ("index" in write) return indexStatement(write.index);
  if ("unindex" in write) return unindexStatement(write.unindex);
  return write.statement;
}

/** SQLite's codes that blame the machine: busy, locked, out of memory, read-only, I/O, corrupt, full. */
const MACHINE_CODES = new Set([5, 6, 7, 8, 10, 11, 13, 14]);

/** Callers may retry `storage_unavailable`; any other error is thrown as it is. */
function toPublicError(error: unknown): unknown {
  const code = (error as { errcode?: unknown } | undefined)?.errcode;
  // The low byte is the primary code.
  const isMachineError = typeof code === "number" && MACHINE_CODES.has(code & 0xff);
  return isMachineError ? fail("storage_unavailable", { cause: error }) : error;
}
