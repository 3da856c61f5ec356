import { fail, type Transaction } from "@letterslot/core/ports";
import type { Verbs } from "@letterslot/sql";
import { openTransaction, type TransactionSession, withDeadline } from "@letterslot/sql";
import type { Answer, Connection, Statement } from "../connections/database.ts";
import type { SearchStatements } from "../search/search-index.ts";
import { lastAnswer } from "../statements/last-answer.ts";
import type { MergeStatements } from "../statements/merge-statements.ts";
import { rowsOf } from "../statements/statement-parts.ts";
import type { DeferredWrites } from "./deferred-writes.ts";
import { RolledBack } from "./postgres-errors.ts";
import { searchOn, sessionOn } from "./session.ts";

/** The statements around a transaction: those of its own, or of a savepoint in another one. */
export interface Brackets {
  begin: [] | [string];
  /** Whether a `begin` that fails may leave locks with the session. */
  locks?: true;
  commit: string[];
  rollback: string[];
}

/** A savepoint in a transaction that somebody else ends. */
export const SAVEPOINT: Brackets = {
  begin: ["savepoint letterslot"],
  commit: ["release savepoint letterslot"],
  rollback: ["rollback to savepoint letterslot", "release savepoint letterslot"],
};

/** A part of a transaction that somebody else ends; it isn't rolled back alone. */
export const NO_SAVEPOINT: Brackets = { begin: [], commit: [], rollback: [] };

/** A transaction of its own. */
export const SERIALIZABLE: Brackets = {
  begin: ["begin isolation level serializable"],
  commit: ["commit"],
  rollback: ["rollback"],
};

/** The input of one attempt. */
export interface Attempt extends Omit<TransactionServices, "transaction_timeout_ms"> {
  connection: Connection;
  brackets: Brackets;
  timeout_ms: number;
  /** Takes the writes that nobody waits for, in a transaction that somebody else ends. */
  deferred?: DeferredWrites | undefined;
  /** Called before each update of records; may throw. */
  onChange(table: string, where: Record<string, unknown>): void;
  /** Called once all statements are sent and only their answers are outstanding. */
  onSent?(): void;
}

/** Time limit for a rollback: after a time-out, an earlier statement may still be running. */
const ROLLBACK_TIMEOUT_MS = 1_000;
/** The command tag of a `commit` that rolled back. */
const ROLLED_BACK = "ROLLBACK";

/**
 * Runs a transaction once. `begin` goes out with the first statement, buffered writes with the next one or
 * the commit. As PostgreSQL requires, a failed statement ends the transaction even if `run` catches it.
 */
export async function attemptTransaction<T>(
  attempt: Attempt,
  run: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const { connection, verbs, search, brackets, timeout_ms, deferred } = attempt;
  let begun = false;
  let failure: { error: unknown } | undefined;

  /** Sends a statement; it fails if the statements sent `before` it do. */
  const send = (statement: Statement, before?: Promise<unknown>): Promise<Answer> => {
    if (failure !== undefined) return Promise.reject(failure.error);
    const first = begun ? undefined : begin(connection, brackets);
    begun = true;
    const answer = connection.run(statement);
    return lastAnswer([first, before], answer).catch((error: unknown) => {
      failure ??= { error };
      throw failure.error;
    });
  };

  /**
   * Sends writes and queries that may be one statement; returns the rows of each query. Throws at once if one can't be
   * sent.
   */
  const sendMerged: NonNullable<TransactionSession["sendTogether"]> = (writes, asked) => {
    const isConcerned = asked.some(({ statement }) => deferred?.matterTo(statement.access));
    const before = isConcerned ? deferred?.send() : undefined;
    const merged = attempt.mergeStatements.together(deferred === undefined ? writes : [], asked);
    const sent = merged.map(({ statement }) => send(statement, before));
    deferred?.add(writes);
    return rowsOf(merged, sent);
  };
  /** Sends a statement of unknown access, which may have to see any write. */
  const sendUnknown = (statement: Statement): Promise<Answer> =>
    send(statement, deferred?.matterTo(undefined) ? deferred.send() : undefined);
  const noteFailure = async <A>(work: () => Promise<A>): Promise<A> => {
    try {
      if (failure !== undefined) throw failure.error;
      return await work();
    } catch (error) {
      failure ??= { error };
      throw error;
    }
  };

  const sendTogether: TransactionSession["sendTogether"] = (writes, asked) =>
    noteFailure(() => sendMerged(writes, asked));
  const runUnknown = (statement: Statement) => noteFailure(() => sendUnknown(statement));
  const session: TransactionSession = {
    ...sessionOn({ run: runUnknown }),
    async send(writes) {
      await sendTogether(writes, []);
    },
    sendTogether,
    search: (query) => searchOn({ run: runUnknown }, search, query),
  };
  const { handle, flush, end } = openTransaction(verbs, session);
  const guarded: Transaction = {
    ...handle,
    // Checked before buffered writes are sent: a retry has then cost the database nothing.
    async update(table, where, change) {
      attempt.onChange(table, where);
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
    // The last writes and the commit share a round trip: after a failed write the commit only rolls back.
    // A write that failed before it was sent is unknown to the database, so then nothing is committed.
    const flushed = flush();
    const answers =
      begun && failure === undefined ? brackets.commit.map((sql) => connection.run(plain(sql))) : [];
    end();
    if (failure === undefined) attempt.onSent?.();
    const [first, last] = await Promise.allSettled([flushed, Promise.all(answers)]);
    if (failure !== undefined) throw failure.error;
    if (first.status === "rejected") throw first.reason;
    if (last.status === "rejected") throw last.reason;
    checkCommitted(last.value);
  }
}

/**
 * Runs several attempts in one transaction: begins with the first statement, rolls back if `use` fails. The value of
 * `use` sends the last writes, in one round trip with the commit.
 */
export async function withinTransaction(
  lent: Connection,
  brackets: Brackets,
  use: (connection: Connection) => Promise<() => Promise<unknown> | undefined>,
): Promise<void> {
  let begun: Promise<unknown> | undefined;
  let over = false;
  const connection: Connection = {
    run(statement) {
      // After a rollback or the commit it would be committed by itself.
      if (over) return Promise.reject(new Error("the transaction has ended"));
      begun ??= begin(lent, brackets);
      const opened = begun;
      // Its statements say that it failed; unhandled, the rejection would end the process.
      opened?.catch(() => undefined);
      return lent.run(statement).catch(async (error: unknown) => {
        // Where it wasn't begun, that is the reason.
        await opened;
        throw error;
      });
    },
  };
  try {
    const sendRest = await use(connection);
    // The database never learns of a statement that can't be sent: it throws here, before the commit.
    const sent = sendRest();
    over = true;
    const answers = begun === undefined ? [] : brackets.commit.map((sql) => lent.run(plain(sql)));
    checkCommitted(await lastAnswer([sent], Promise.all(answers)));
  } catch (error) {
    over = true;
    if (begun !== undefined) await rollBack(lent, brackets);
    throw error;
  }
}

function begin(
  connection: Connection,
  { begin: [statement], locks }: Brackets,
): Promise<unknown> | undefined {
  if (statement === undefined) return undefined;
  const begun = connection.run(plain(statement));
  // Only its end frees a session's locks for certain, and this error ends the connection.
  return locks === true
    ? begun.catch((cause) => Promise.reject(fail("storage_unavailable", { cause })))
    : begun;
}

function checkCommitted(answers: readonly Answer[]): void {
  if (answers.at(-1)?.command === ROLLED_BACK) throw new RolledBack();
}

/** Rolls back, on a connection that may not answer. */
async function rollBack(connection: Connection, { rollback }: Brackets): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, ROLLBACK_TIMEOUT_MS);
  });
  await Promise.race([Promise.allSettled(rollback.map((sql) => connection.run(plain(sql)))), timeout]);
  clearTimeout(timer);
}

function plain(sql: string): Statement {
  return { sql, parameters: [] };
}

/** Dependencies of transactions. */
export interface TransactionServices {
  schema: string;
  verbs: Verbs;
  search: SearchStatements;
  mergeStatements: MergeStatements;
  transaction_timeout_ms: number;
}
