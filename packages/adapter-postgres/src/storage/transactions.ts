import { fail, type TransactionIntent } from "@letterslot/core/ports";
import { createRecordLocks, type RecordLocks } from "@letterslot/sql";
import type { Connection, Database } from "../connections/database.ts";
import { withLazyConnection } from "../connections/lazy-connection.ts";
import { createGroupCommit, type Declared, keyOf, type Run, type SharedMode } from "../group-commit/index.ts";
import type { MergeStatements } from "../statements/merge-statements.ts";
import type { Brackets, TransactionServices } from "./attempt-transaction.ts";
import {
  attemptTransaction,
  NO_SAVEPOINT,
  SAVEPOINT,
  SERIALIZABLE,
  withinTransaction,
} from "./attempt-transaction.ts";
import { createDeferredWrites } from "./deferred-writes.ts";
import { isClash, isDuplicate } from "./postgres-errors.ts";
import { createTurns } from "./turns.ts";

/** The numbers of retries caused by concurrent transactions since the start. */
export interface ClashCounts {
  /** Retries. */
  retries: number;
  /** Transactions that failed after their last retry. */
  given_up: number;
}

/**
 * A transaction that clashes this often in a row fails, unless it has tried for less than its time: on a busy machine
 * each try takes long, and others win many of them.
 */
const MAX_TRIES = 25;
/** A taken key is still taken on a second try, unless it was inserted since the first one looked. */
const MAX_DUPLICATE_TRIES = 2;
/** The longest pause before the first retry; it doubles each time, with full jitter. */
const PAUSE_MS = 2;
const MAX_PAUSE_MS = 200;

/** Thrown within a transaction that changes a locked record; it is retried once it has the lock. */
class RecordLocked extends Error {
  readonly key: string;
  constructor(key: string) {
    super(`another transaction is changing ${key}`);
    this.key = key;
  }
}

/**
 * Runs transactions, and retries them after a clash, a limited number of times. Those that declare a record take turns at
 * it (`createTurns`), and queue for it within this process before they cost a connection. One that changes a record that it
 * hasn't declared, while another does, gives up and runs again when that is done.
 */
export function createTransactions(database: Database, services: TransactionServices) {
  const { transaction_timeout_ms: timeout_ms, mergeStatements } = services;
  const inTurn = createTurns(database, services);
  const locks = createRecordLocks();
  const counts: ClashCounts = { retries: 0, given_up: 0 };

  const attempt = async <T>(run: Run<T>, keys: Set<string>, brackets: Brackets): Promise<T> => {
    const held = holdLocks(locks);
    await held.lock([...keys]);
    try {
      return await withLazyConnection(database, (connection) =>
        attemptTransaction({ ...services, connection, brackets, timeout_ms, onChange: held.onChange }, run),
      );
    } catch (error) {
      if (error instanceof RecordLocked) keys.add(error.key);
      throw error;
    } finally {
      held.release();
    }
  };

  const runAlone = async <T>(run: Run<T>, keys: Set<string>, brackets = SERIALIZABLE): Promise<T> => {
    const began = performance.now();
    for (let tries = 1; ; tries++) {
      try {
        return await attempt(run, keys, brackets);
      } catch (error) {
        if (!isRetryable(error) || (isDuplicate(error) && tries >= MAX_DUPLICATE_TRIES)) throw error;
        if (tries >= MAX_TRIES && performance.now() - began >= timeout_ms) {
          counts.given_up++;
          throw fail("storage_unavailable", { cause: error });
        }
        counts.retries++;
        if (!(error instanceof RecordLocked)) await pause(tries);
      }
    }
  };

  const runLocked = (declared: Declared, run: Run) =>
    runAlone(run, new Set([keyOf(declared.changes)]), inTurn([declared]));
  const group = createGroupCommit({
    async lock(key) {
      const held = holdLocks(locks);
      await held.lock([key]);
      return held;
    },
    lockFree(keys) {
      const held = holdLocks(locks);
      return { held, locked: new Set(keys.filter((key) => held.tryLock(key))) };
    },
    isRetryable,
    runAlone: runLocked,
    retryAlone(declared, run) {
      counts.retries++;
      return runLocked(declared, run);
    },
    runShared: ({ onChange }, declared, mode, use, onCommit) =>
      withLazyConnection(database, (lent) =>
        withinTransaction(lent, inTurn(declared), async (connection) => {
          const { join, sendRest } = shareBy(mode, connection, mergeStatements);
          await use((run, onSent) =>
            attemptTransaction({ ...services, ...join(), connection, timeout_ms, onChange, onSent }, run),
          );
          return () => {
            const sent = sendRest();
            onCommit();
            return sent;
          };
        }),
      ),
  });

  const transaction = <T>(
    run: Run<T>,
    { changes, shares_commit = false, reads_own = false }: TransactionIntent = {},
  ): Promise<T> =>
    changes === undefined
      ? runAlone(run, new Set())
      : group.submit({ changes, reads_own }, run, shares_commit);

  return { transaction, counts };
}

/** Joins the transactions of a group into one database transaction. */
function shareBy(mode: SharedMode, connection: Connection, mergeStatements: MergeStatements) {
  // One that fails is rolled back alone, so its writes can't be among those of the others.
  if (mode === "savepoints") return { join: () => ({ brackets: SAVEPOINT }), sendRest: () => undefined };
  const deferred = createDeferredWrites(connection, mergeStatements);
  return { join: () => ({ brackets: NO_SAVEPOINT, deferred }), sendRest: deferred.send };
}

/** The locks that transactions hold; records that they change are locked on their first change, if they are free. */
function holdLocks(locks: RecordLocks) {
  const releases: (() => void)[] = [];
  const held = new Set<string>();
  const tryLock = (key: string): boolean => {
    if (held.has(key)) return true;
    const release = locks.tryAcquire(key);
    if (release === undefined) return false;
    held.add(key);
    releases.push(release);
    return true;
  };
  return {
    /** Waits for the locks of these records. */
    async lock(keys: readonly string[]): Promise<void> {
      releases.push(await locks.acquire(keys));
      for (const key of keys) held.add(key);
    },
    /** Locks a record if it is free. */
    tryLock,
    onChange(table: string, where: Record<string, unknown>): void {
      const key = recordKey(table, where);
      if (key !== undefined && !tryLock(key)) throw new RecordLocked(key);
    },
    release(): void {
      for (const release of releases) release();
    },
  };
}

function isRetryable(error: unknown): boolean {
  return error instanceof RecordLocked || isClash(error) || isDuplicate(error);
}

/** The key of a record that an update names by one column, as each event does with its account's row. */
function recordKey(table: string, where: Record<string, unknown>): string | undefined {
  const id = where["id"] ?? where["name"];
  return typeof id === "string" ? keyOf({ table, id }) : undefined;
}

function pause(tries: number): Promise<void> {
  const longest = Math.min(PAUSE_MS * 2 ** tries, MAX_PAUSE_MS);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
}
