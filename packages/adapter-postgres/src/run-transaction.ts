import { fail, type Transaction, type TransactionIntent } from "@letterslot/core";
import type { GatheredWrite, Verbs } from "@letterslot/sql";
import { attemptTransaction, type Brackets } from "./attempt-transaction.ts";
import type { Database, Statement } from "./database.ts";
import { onDemand } from "./on-demand.ts";
import { isClash, isDuplicate } from "./postgres-trouble.ts";
import type { SearchStatements } from "./search-index.ts";
import { createTurns } from "./turns.ts";

/** What transactions stand on. */
export interface TransactionParts {
  verbs: Verbs;
  search: SearchStatements;
  gather(writes: readonly GatheredWrite[]): Statement;
  transaction_timeout_ms: number;
}

/** How often transactions were run again because of others, since the start. */
export interface ClashCounts {
  /** Runs again. */
  retries: number;
  /** Transactions that failed after all their tries. */
  given_up: number;
}

const brackets: Brackets = { begin: "begin isolation level serializable", commit: ["commit"], rollback: ["rollback"] };

/** A transaction that clashed so often in a row fails. */
const TRIES = 25;
/** A key that was taken is taken on the second look too, unless somebody took it in between. */
const DUPLICATE_TRIES = 2;
/** The longest pause before the first run again; it doubles each time, and the pause is any part of it (full jitter). */
const PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 200;

/** Thrown within a transaction that came second to a record; it goes again when its turn comes. */
class Behind extends Error {
  readonly key: string;
  constructor(key: string) {
    super(`another transaction is just changing ${key}`);
    this.key = key;
  }
}

/** Runs transactions as if each were alone: PostgreSQL's serializable ones, again after a clash, a bounded number of times. */
export function createTransactions(database: Database, parts: TransactionParts) {
  const { transaction_timeout_ms: timeout_ms } = parts;
  const turns = createTurns();
  const counts: ClashCounts = { retries: 0, given_up: 0 };

  const attempt = async <T>(run: (tx: Transaction) => Promise<T>, wanted: Set<string>): Promise<T> => {
    const left = [await turns.take([...wanted])];
    const held = new Set(wanted);
    const changing = (table: string, where: Record<string, unknown>) => {
      const key = recordKey(table, where);
      if (key === undefined || held.has(key)) return;
      wanted.add(key);
      const leave = turns.tryTake(key);
      if (leave === undefined) throw new Behind(key);
      held.add(key);
      left.push(leave);
    };
    try {
      return await onDemand(database, (connection) =>
        attemptTransaction({ ...parts, connection, brackets, timeout_ms, changing }, run),
      );
    } finally {
      for (const leave of left) leave();
    }
  };

  const transaction = async <T>(run: (tx: Transaction) => Promise<T>, { changes }: TransactionIntent = {}): Promise<T> => {
    const wanted = new Set(changes === undefined ? [] : [keyOf(changes.table, changes.id)]);
    for (let tries = 1; ; tries++) {
      try {
        return await attempt(run, wanted);
      } catch (error) {
        const behind = error instanceof Behind;
        const again = behind || isClash(error) || (isDuplicate(error) && tries < DUPLICATE_TRIES);
        if (!again) throw error;
        if (tries >= TRIES) {
          counts.given_up++;
          throw fail("storage_unavailable", { cause: error });
        }
        counts.retries++;
        if (!behind) await pause(tries);
      }
    }
  };

  return { transaction, counts };
}

/** The key of a record that a change names by a single column, as events do with the row of their account. */
function recordKey(table: string, where: Record<string, unknown>): string | undefined {
  const id = where["id"] ?? where["name"];
  return typeof id === "string" ? keyOf(table, id) : undefined;
}

const keyOf = (table: string, id: string): string => `${table} ${id}`;

function pause(tries: number): Promise<void> {
  const longest = Math.min(PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
}
