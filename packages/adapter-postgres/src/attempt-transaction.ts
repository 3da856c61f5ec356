import type { Transaction } from "@letterslot/core";
import {
  type GatheredWrite,
  openTransaction,
  type TransactionSession,
  type Verbs,
  withDeadline,
} from "@letterslot/sql";
import type { Answer, Connection, Statement } from "./database.ts";
import type { SearchStatements } from "./search-index.ts";
import { searchOn, sessionOf } from "./session.ts";

/**
 * What a transaction is begun, ended and taken back with: a transaction of its own, or a savepoint in an
 * embedder's.
 */
export interface Brackets {
  begin: string;
  commit: string[];
  rollback: string[];
}

/** A savepoint in a transaction that somebody else ends. */
export const savepoint: Brackets = {
  begin: "savepoint letterslot",
  commit: ["release savepoint letterslot"],
  rollback: ["rollback to savepoint letterslot", "release savepoint letterslot"],
};

/** What one attempt stands on. */
export interface Attempt {
  connection: Connection;
  verbs: Verbs;
  search: SearchStatements;
  gather(writes: readonly GatheredWrite[]): Statement;
  brackets: Brackets;
  timeout_ms: number;
  /** Told of each record that is about to be changed by its key; may throw. */
  changing(table: string, where: Record<string, unknown>): void;
  /** Told when all statements are on their way and only their answers are waited for. */
  sent?(): void;
}

/**
 * How long a rollback is waited for: after a time-out, a statement of the transaction may still be under way
 * before it.
 */
const ROLLBACK_WAIT_MS = 1_000;
/** What `commit` answers when it did not commit. */
const ROLLED_BACK = "ROLLBACK";

/**
 * Runs a transaction once. Begins with the first statement, in one round trip with it; what is gathered goes
 * out with the next statement or the commit. A statement that fails ends the transaction even if `run`
 * catches it, as PostgreSQL has it.
 */
export async function attemptTransaction<T>(
  attempt: Attempt,
  run: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const { connection, verbs, brackets, timeout_ms } = attempt;
  let begun = false;
  let failure: { error: unknown } | undefined;

  const send = (statement: Statement): Promise<Answer> => {
    if (failure !== undefined) return Promise.reject(failure.error);
    const first = begun ? undefined : connection.run(plain(brackets.begin));
    begun = true;
    const answer = connection.run(statement);
    return settled(first, answer).catch((error: unknown) => {
      failure ??= { error };
      throw failure.error;
    });
  };

  const sendGathered = (writes: GatheredWrite[]): Promise<Answer> => {
    try {
      return send(attempt.gather(writes));
    } catch (error) {
      failure ??= { error };
      throw error;
    }
  };

  const { handle, flush, end } = openTransaction(
    verbs,
    transactionSession(send, sendGathered, attempt.search),
  );
  const guarded: Transaction = {
    ...handle,
    // Asked before what was gathered is sent: whoever has to come again has cost the database nothing.
    async update(table, where, change) {
      attempt.changing(table, where);
      return handle.update(table, where, change);
    },
  };
  try {
    const value = await withDeadline(run(guarded), timeout_ms);
    await commit();
    return value;
  } catch (error) {
    end();
    if (begun) await rollBack(connection, brackets);
    throw error;
  }

  async function commit(): Promise<void> {
    // The last writes and the commit share a round trip: after a write that failed, the commit only rolls
    // back. The database knows nothing of one that failed before it was sent.
    const flushed = flush();
    const answers =
      begun && failure === undefined ? brackets.commit.map((sql) => connection.run(plain(sql))) : [];
    end();
    if (failure === undefined) attempt.sent?.();
    const [first, last] = await Promise.allSettled([flushed, Promise.all(answers)]);
    if (failure !== undefined) throw failure.error;
    if (first.status === "rejected") throw first.reason;
    if (last.status === "rejected") throw last.reason;
    checkCommitted(last.value);
  }
}

/**
 * Runs several attempts in one transaction, which begins with the first statement and is taken back when
 * `use` fails.
 */
export async function withinTransaction(
  lent: Connection,
  brackets: Brackets,
  use: (connection: Connection) => Promise<void>,
): Promise<void> {
  let begun: Promise<Answer> | undefined;
  const connection: Connection = {
    run(statement) {
      // When it fails, so does what follows.
      begun ??= quietly(lent.run(plain(brackets.begin)));
      return lent.run(statement);
    },
  };
  try {
    await use(connection);
  } catch (error) {
    if (begun !== undefined) await rollBack(lent, brackets);
    throw error;
  }
  if (begun !== undefined)
    checkCommitted(await Promise.all(brackets.commit.map((sql) => lent.run(plain(sql)))));
}

function checkCommitted(answers: readonly Answer[]): void {
  if (answers.at(-1)?.command === ROLLED_BACK)
    throw new Error("the transaction was rolled back by the database");
}

/** Takes a transaction back, on a connection that may be in doubt. */
async function rollBack(connection: Connection, { rollback }: Brackets): Promise<void> {
  await atMost(ROLLBACK_WAIT_MS, Promise.allSettled(rollback.map((sql) => connection.run(plain(sql)))));
}

/**
 * Work whose failure is looked at later: until then it must not count as one that nobody hears of, which ends
 * the process.
 */
function quietly<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return work;
}

function transactionSession(
  send: (statement: Statement) => Promise<Answer>,
  sendGathered: (writes: GatheredWrite[]) => Promise<Answer>,
  search: SearchStatements,
): TransactionSession {
  return {
    ...sessionOf({ run: send }),
    async send(writes) {
      await sendGathered(writes);
    },
    search: (query) => searchOn({ run: send }, search, query),
  };
}

/** The last one's answer; the first one's error, and no other stays unheard. */
async function settled<T>(first: Promise<unknown> | undefined, last: Promise<T>): Promise<T> {
  const [begun, answered] = await Promise.allSettled([first, last]);
  if (begun.status === "rejected") throw begun.reason;
  if (answered.status === "rejected") throw answered.reason;
  return answered.value;
}

async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, end]);
  clearTimeout(timer);
}

function plain(sql: string): Statement {
  return { sql, parameters: [] };
}
