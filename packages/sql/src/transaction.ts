import {
  fail,
  type SearchDocument,
  type SearchQuery,
  type TableName,
  type Transaction,
} from "@letterslot/core";
import type { Row, SqlStatement } from "./sql-dialect.ts";
import type { SqlSession, Verbs } from "./verbs.ts";

/** A write that returns nothing, so it can wait for the next statement or the commit. */
export type BufferedWrite =
  | { append: SqlStatement; table: TableName }
  | { index: SearchDocument }
  | { unindex: string }
  | { statement: SqlStatement; key: string };

const BUFFER = Symbol("buffer");

/**
 * Adds a statement to a transaction's buffered writes, for what an adapter stores beside core's tables.
 * Statements with the same key have the same effect: an adapter may run one of them for all.
 */
export function bufferStatement(tx: Transaction, statement: SqlStatement, key: string): void {
  const buffer = (tx as { [BUFFER]?: (statement: SqlStatement, key: string) => void })[BUFFER];
  if (buffer === undefined) throw new Error("the transaction belongs to another storage");
  buffer(statement, key);
}

/** A session within a transaction. */
export interface TransactionSession extends SqlSession {
  /** Runs buffered writes in order; throws when one of them fails. */
  send(writes: BufferedWrite[]): void | Promise<void>;
  /**
   * Runs statements of inserts with buffered writes; returns for each whether it inserted. Where it is present,
   * an insert waits for the next read or the end of the tick, so that it is sent with what is written beside it.
   */
  sendWithInserts?(writes: BufferedWrite[], inserts: SqlStatement[]): Promise<boolean[]>;
  search(query: SearchQuery): string[] | Promise<string[]>;
}

/** The handle for `run`, and the adapter's controls over it. */
export interface OpenTransaction {
  handle: Transaction;
  /** Sends buffered writes. Throws the error of an earlier one too, even if `run` caught it. */
  flush(): Promise<void>;
  /** Makes every verb throw from now on. */
  end(): void;
}

interface WaitingInsert {
  table: TableName;
  statement: SqlStatement;
  resolve(inserted: boolean): void;
  reject(error: unknown): void;
}

async function sendWithInserts(
  session: TransactionSession,
  writes: BufferedWrite[],
  inserts: readonly WaitingInsert[],
): Promise<void> {
  try {
    const statements = inserts.map(({ statement }) => statement);
    const inserted = await session.sendWithInserts?.(writes, statements);
    for (const [index, { resolve }] of inserts.entries()) resolve(inserted?.[index] === true);
  } catch (error) {
    for (const { reject } of inserts) reject(error);
    throw error;
  }
}

/** Opens a handle on a session. Appended and indexed records are buffered until the next read. */
export function openTransaction(verbs: Verbs, session: TransactionSession): OpenTransaction {
  let buffered: BufferedWrite[] = [];
  let inserts: WaitingInsert[] = [];
  let ended = false;
  let failed: { error: unknown } | undefined;

  const check = () => {
    if (ended) throw new Error("the transaction has ended");
    if (failed !== undefined) throw failed.error;
  };
  // A verb still running when the transaction ends must stop: its statements would commit by themselves.
  const open: SqlSession = {
    rows(statement) {
      check();
      return session.rows(statement);
    },
    affected(statement) {
      check();
      return session.affected(statement);
    },
  };
  const flush = async () => {
    check();
    if (buffered.length === 0 && inserts.length === 0) return;
    const writes = buffered;
    const waiting = inserts;
    buffered = [];
    inserts = [];
    try {
      if (waiting.length === 0) await session.send(writes);
      else await sendWithInserts(session, writes, waiting);
    } catch (error) {
      failed = { error };
      throw error;
    }
  };
  const verb =
    <A extends unknown[], T>(run: (session: SqlSession, ...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      check();
      if (buffered.length === 0 && inserts.length === 0) return run(open, ...args);
      const sent = flush();
      // A write that failed at once is thrown here; otherwise the next statement follows without waiting.
      if (failed !== undefined) await sent;
      const [first, answer] = await Promise.allSettled([sent, run(open, ...args)]);
      if (first.status === "rejected") throw first.reason;
      if (answer.status === "rejected") throw answer.reason;
      return answer.value;
    };
  const buffer = (writes: BufferedWrite[]) => {
    check();
    for (const write of writes) buffered.push(write);
  };

  /** Sends without waiting; a failure is that of the next verb, or of the commit. */
  const sendNow = () => void flush().catch(() => undefined);
  const insert = verb(verbs.insert);
  /** An insert that is sent with other writes; of one that met a conflict the existing record is read. */
  const insertWithOthers = async (table: TableName, record: Row) => {
    check();
    // In one statement it would not be seen which of two records of a table comes first.
    if (buffered.some((write) => "append" in write && write.table === table)) sendNow();
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    inserts.push({ table, statement: verbs.insertStatement(table, record), resolve, reject });
    // Whoever doesn't await an insert learns of its failure at the commit.
    promise.catch(() => undefined);
    process.nextTick(() => {
      if (!ended && failed === undefined) sendNow();
    });
    return (await promise) ? { record, inserted: true } : insert(table, record);
  };

  const handle = {
    get: verb(verbs.get),
    find: verb(verbs.find),
    count: verb(verbs.count),
    insert: session.sendWithInserts === undefined ? insert : insertWithOthers,
    update: verb(verbs.update),
    delete: verb(verbs.delete),
    search: verb(async (_, query: SearchQuery) => session.search(query)),
    append: (table: Parameters<Transaction["append"]>[0], records: readonly Row[]) => {
      if (inserts.some((waiting) => waiting.table === table)) sendNow();
      buffer(records.map((record) => ({ append: verbs.append(table, record), table })));
    },
    index: (documents: readonly SearchDocument[]) => buffer(documents.map((index) => ({ index }))),
    unindex: (message_ids: readonly string[]) => buffer(message_ids.map((unindex) => ({ unindex }))),
    [BUFFER]: (statement: SqlStatement, key: string) => buffer([{ statement, key }]),
  };
  return {
    handle: handle as unknown as Transaction,
    flush,
    end() {
      ended = true;
      for (const { reject } of inserts) reject(new Error("the transaction has ended"));
      inserts = [];
    },
  };
}

/** How an adapter brackets a transaction. */
export interface TransactionControl {
  begin(): void | Promise<void>;
  commit(): void | Promise<void>;
  /** Runs after any failure, that of `commit` included. */
  rollback(): void | Promise<void>;
  timeout_ms: number;
}

/** Runs a transaction: commits when `run` resolves, rolls back when it fails or takes too long. */
export async function runTransaction<T>(
  verbs: Verbs,
  session: TransactionSession,
  run: (tx: Transaction) => Promise<T>,
  { begin, commit, rollback, timeout_ms }: TransactionControl,
): Promise<T> {
  const { handle, flush, end } = openTransaction(verbs, session);
  await begin();
  try {
    const value = await withDeadline(run(handle), timeout_ms);
    await flush();
    end();
    await commit();
    return value;
  } catch (error) {
    end();
    await rollback();
    throw error;
  }
}

/** Fails with `storage_unavailable` when the work takes too long; the caller rolls it back. */
export async function withDeadline<T>(work: Promise<T>, timeout_ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    const message = `The transaction took longer than ${timeout_ms} ms and was rolled back.`;
    timer = setTimeout(() => reject(fail("storage_unavailable", { message })), timeout_ms);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
