import { fail, type TransactionIntent } from "@letterslot/core";
import type { GatheredWrite, Verbs } from "@letterslot/sql";
import { attemptTransaction, type Brackets, savepoint, withinTransaction } from "./attempt-transaction.ts";
import type { Database, Statement } from "./database.ts";
import { createGroupCommit, type Run } from "./group-commit.ts";
import { onDemand } from "./on-demand.ts";
import { isClash, isDuplicate } from "./postgres-trouble.ts";
import type { SearchStatements } from "./search-index.ts";
import { createTurns, type Turns } from "./turns.ts";

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

const whole: Brackets = {
  begin: "begin isolation level serializable",
  commit: ["commit"],
  rollback: ["rollback"],
};

/** A transaction that clashed so often in a row fails. */
const TRIES = 25;
/** A key that was taken is taken on the second look too, unless somebody took it in between. */
const DUPLICATE_TRIES = 2;
/**
 * The longest pause before the first run again; it doubles each time, and the pause is any part of it (full
 * jitter).
 */
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

/**
 * Runs transactions as if each were alone: PostgreSQL's serializable ones, again after a clash, a bounded
 * number of times.
 */
export function createTransactions(database: Database, parts: TransactionParts) {
  const { transaction_timeout_ms: timeout_ms } = parts;
  const turns = createTurns();
  const counts: ClashCounts = { retries: 0, given_up: 0 };

  const attempt = async <T>(run: Run<T>, wanted: Set<string>): Promise<T> => {
    const held = await holdTurns(turns, wanted);
    try {
      return await onDemand(database, (connection) =>
        attemptTransaction(
          { ...parts, connection, brackets: whole, timeout_ms, changing: held.changing },
          run,
        ),
      );
    } catch (error) {
      if (error instanceof Behind) wanted.add(error.key);
      throw error;
    } finally {
      held.leave();
    }
  };

  const alone = async <T>(run: Run<T>, wanted: Set<string>): Promise<T> => {
    for (let tries = 1; ; tries++) {
      try {
        return await attempt(run, wanted);
      } catch (error) {
        if (!mayRunAgain(error) || (isDuplicate(error) && tries >= DUPLICATE_TRIES)) throw error;
        if (tries >= TRIES) {
          counts.given_up++;
          throw fail("storage_unavailable", { cause: error });
        }
        counts.retries++;
        if (!(error instanceof Behind)) await pause(tries);
      }
    }
  };

  const aloneWith = (key: string, run: Run) => alone(run, new Set([key]));
  const group = createGroupCommit({
    mayRunAgain,
    alone: aloneWith,
    again(key, run) {
      counts.retries++;
      return aloneWith(key, run);
    },
    async together(key, use) {
      const held = await holdTurns(turns, new Set([key]));
      const { changing } = held;
      try {
        await onDemand(database, (lent) =>
          withinTransaction(lent, whole, (connection) =>
            use((run, sent) =>
              attemptTransaction(
                { ...parts, connection, brackets: savepoint, timeout_ms, changing, sent },
                run,
              ),
            ),
          ),
        );
      } finally {
        held.leave();
      }
    },
  });

  const transaction = <T>(run: Run<T>, { changes }: TransactionIntent = {}): Promise<T> =>
    changes === undefined ? alone(run, new Set()) : group.submit(keyOf(changes.table, changes.id), run);

  return { transaction, counts };
}

/** Waits for the turns to change these records; others are taken while nobody has them. */
async function holdTurns(turns: Turns, wanted: ReadonlySet<string>) {
  const left = [await turns.take([...wanted])];
  const held = new Set(wanted);
  return {
    changing(table: string, where: Record<string, unknown>): void {
      const key = recordKey(table, where);
      if (key === undefined || held.has(key)) return;
      const leave = turns.tryTake(key);
      if (leave === undefined) throw new Behind(key);
      held.add(key);
      left.push(leave);
    },
    leave(): void {
      for (const leave of left) leave();
    },
  };
}

function mayRunAgain(error: unknown): boolean {
  return error instanceof Behind || isClash(error) || isDuplicate(error);
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
