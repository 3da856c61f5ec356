import {
  fail,
  type SearchDocument,
  type SearchQuery,
  type TableName,
  type Transaction,
} from "@letterslot/core/ports";
import type { Access, Row, SqlStatement } from "./sql-dialect.ts";
import type { Answer, SqlSession, Verbs } from "./verbs.ts";

/** A write that returns nothing, so it can wait for the next statement or the commit. */
export type BufferedWrite =
  | { append: SqlStatement; table: TableName }
  | { index: SearchDocument }
  | { unindex: string }
  | { statement: SqlStatement; key: string | undefined; combine?: Combine | undefined };

/** Makes one statement of several with one text, of the parameters of each. */
export type Combine = (parameters: readonly (readonly unknown[])[]) => SqlStatement;

const BUFFER = Symbol("buffer");

/**
 * Adds a statement to a transaction's buffered writes, for data that an adapter stores beside core's tables. Statements
 * with the same key have the same effect: an adapter may run one of them for all. `combine` is for the others.
 */
export function bufferStatement(
  tx: Transaction,
  statement: SqlStatement,
  key: string,
  combine?: Combine,
): void {
  const buffer = (tx as { [BUFFER]?: (write: BufferedWrite) => void })[BUFFER];
  if (buffer === undefined) throw new Error("the transaction belongs to another storage");
  buffer({ statement, key, combine });
}

/** A statement whose rows are awaited; `limit` is how many there are at most, where that is known. */
export interface AskedStatement {
  statement: SqlStatement;
  limit: number | undefined;
}

/** A session within a transaction. */
export interface TransactionSession extends SqlSession {
  /** Runs buffered writes in order; throws when one of them fails. */
  send(writes: BufferedWrite[]): void | Promise<void>;
  /**
   * Runs queries with buffered writes; returns the rows of each. None sees another one's writes, and no two change the
   * same table, so that they may be one statement. If present, a transaction's queries wait for the end of the tick, so
   * that they are sent with the other queries and writes of that tick.
   */
  sendTogether?(writes: BufferedWrite[], asked: readonly AskedStatement[]): Promise<Row[][]>;
  search(query: SearchQuery): string[] | Promise<string[]>;
}

/** The handle for `run`, and the adapter's controls over it. */
export interface OpenTransaction {
  handle: Transaction;
  /** Sends the queue. Throws the error of earlier writes too, even if `run` caught it. */
  flush(): Promise<void>;
  /** Makes every verb throw from now on. */
  end(): void;
}

interface Asked extends AskedStatement {
  resolve(rows: Row[]): void;
  reject(error: unknown): void;
}

/** The effect of a queued statement on a table of core. */
type Use = Access["does"] | "appends";

/** The maximum number of statements sent as one. */
const MAX_TOGETHER = 32;

/** The uses of the same table that may precede each of these in one statement: none whose effect it must see. */
const MAY_FOLLOW: Record<Use, readonly Use[]> = {
  reads: ["reads"],
  changes: ["reads"],
  inserts: ["reads", "inserts"],
  // In one statement, an insert and an append with the same key would have no defined order.
  appends: ["reads", "appends"],
};

/** Opens a handle on a session. Its writes, and perhaps its queries, are queued until the next read. */
export function openTransaction(verbs: Verbs, session: TransactionSession): OpenTransaction {
  let buffered: BufferedWrite[] = [];
  let asked: Asked[] = [];
  const uses = new Map<TableName, Set<Use>>();
  let ended = false;
  let failed: { error: unknown } | undefined;

  const check = () => {
    if (ended) throw new Error("the transaction has ended");
    if (failed !== undefined) throw failed.error;
  };
  const failWith = (error: unknown, waiting: readonly Asked[]): never => {
    failed = { error };
    // Queries made since then are no longer sent.
    for (const { reject } of [...waiting, ...asked]) reject(error);
    asked = [];
    throw error;
  };
  /** Sends the queue; returns a promise if that takes a while. */
  const send = (): Promise<void> | undefined => {
    check();
    if (!isQueued()) return undefined;
    const writes = buffered;
    const waiting = asked;
    buffered = [];
    asked = [];
    uses.clear();
    try {
      const sending = waiting.length === 0 ? session.send(writes) : session.sendTogether?.(writes, waiting);
      return sending instanceof Promise ? answer(sending, waiting) : undefined;
    } catch (error) {
      return failWith(error, waiting);
    }
  };
  const answer = async (sending: Promise<Row[][] | void>, waiting: readonly Asked[]): Promise<void> => {
    try {
      const rows = await sending;
      for (const [index, { resolve }] of waiting.entries()) resolve(rows?.[index] ?? []);
    } catch (error) {
      failWith(error, waiting);
    }
  };
  const flush = async () => send();
  /** Sends without waiting; a failure is that of the next verb, or of the commit. */
  const sendNow = () => void flush().catch(() => undefined);

  /** Notes the next queued statement; first sends the queue if the two can't be one statement. */
  const use = (table: TableName, next: Use) => {
    const before = uses.get(table);
    if (before !== undefined && ![...before].every((each) => MAY_FOLLOW[next].includes(each))) sendNow();
    uses.set(table, (uses.get(table) ?? new Set()).add(next));
  };
  const ask = (
    statement: SqlStatement,
    { table, does }: Access,
    limit: number | undefined,
  ): Promise<Row[]> => {
    if (asked.length >= MAX_TOGETHER) sendNow();
    use(table, does);
    const { promise, resolve, reject } = Promise.withResolvers<Row[]>();
    // A caller that doesn't await it learns of its failure at the commit.
    promise.catch(() => undefined);
    if (asked.length === 0)
      process.nextTick(() => {
        if (!ended && failed === undefined) sendNow();
      });
    asked.push({ statement, limit, resolve, reject });
    return promise;
  };
  /** Runs after the queue: the next statement follows without waiting. */
  const runAfterQueue = <T>(run: () => Answer<T>): Answer<T> => {
    const sent = send();
    return sent === undefined ? run() : runWhileSending(sent, run);
  };
  const runWhileSending = async <T>(sent: Promise<void>, run: () => Answer<T>): Promise<T> => {
    // `run` is awaited even if it fails at once.
    const [first, result] = await Promise.allSettled([sent, (async () => run())()]);
    if (first.status === "rejected") throw first.reason;
    if (result.status === "rejected") throw result.reason;
    return result.value;
  };
  const isQueued = () => buffered.length > 0 || asked.length > 0;

  // A verb still running when the transaction ends must stop: its statements would commit by themselves.
  const open: SqlSession = {
    rows(statement, limit) {
      check();
      const { access } = statement;
      if (access !== undefined && session.sendTogether !== undefined) return ask(statement, access, limit);
      return isQueued()
        ? runAfterQueue(() => session.rows(statement, limit))
        : session.rows(statement, limit);
    },
    affected(statement) {
      check();
      return isQueued() ? runAfterQueue(() => session.affected(statement)) : session.affected(statement);
    },
  };
  const verb =
    <A extends unknown[], T>(run: (session: SqlSession, ...args: A) => Answer<T>) =>
    async (...args: A): Promise<T> => {
      check();
      return run(open, ...args);
    };
  const buffer = (writes: readonly BufferedWrite[]) => {
    check();
    for (const write of writes) buffered.push(write);
  };

  const handle = {
    get: verb(verbs.get),
    follow: verb(verbs.follow),
    find: verb(verbs.find),
    count: verb(verbs.count),
    insert: verb(verbs.insert),
    update: verb(verbs.update),
    delete: verb(verbs.delete),
    search: verb(async (_, query: SearchQuery) => {
      check();
      return isQueued() ? runAfterQueue(() => session.search(query)) : session.search(query);
    }),
    append: (table: TableName, records: readonly Row[]) => {
      check();
      if (records.length === 0) return;
      if (session.sendTogether !== undefined) use(table, "appends");
      buffer(records.map((record) => ({ append: verbs.append(table, record), table })));
    },
    index: (documents: readonly SearchDocument[]) => buffer(documents.map((index) => ({ index }))),
    unindex: (message_ids: readonly string[]) => buffer(message_ids.map((unindex) => ({ unindex }))),
    [BUFFER]: (write: BufferedWrite) => buffer([write]),
  };
  return {
    handle: handle as unknown as Transaction,
    flush,
    end() {
      ended = true;
      for (const { reject } of asked) reject(new Error("the transaction has ended"));
      asked = [];
    },
  };
}

/** An adapter's way to begin and end a transaction. */
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
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const message = `The transaction took longer than ${timeout_ms} ms and was rolled back.`;
  const timer = setTimeout(() => reject(fail("storage_unavailable", { message })), timeout_ms);
  work.then(resolve, reject);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
