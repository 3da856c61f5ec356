import { createHash } from "node:crypto";
import type { Database } from "../connections/database.ts";
import { type Brackets, SERIALIZABLE } from "./attempt-transaction.ts";

/** The brackets of a transaction that takes its turn at the records with these keys. */
export type InTurn = (keys: readonly string[]) => Brackets;

/**
 * Lets transactions that name the record they change take turns at it, in all processes: each takes its snapshot once the
 * one before has ended, so neither fails because of the other. A turn is an advisory lock. A transaction's first query takes its
 * snapshot, even if it waits for a lock; so the session waits for the lock and then hands it to the transaction. On
 * connections that a pooler shares, nobody takes turns, and transactions are retried.
 */
export function createTurns({ lends_sessions }: Pick<Database, "lends_sessions">, schema: string): InTurn {
  if (!lends_sessions) return () => SERIALIZABLE;
  return (keys) => {
    // In the same order everywhere: no two wait for each other.
    const locks = keys.map((key) => lockOf(`${schema} ${key}`)).sort((one, other) => (one < other ? -1 : 1));
    const call = (lock: string) =>
      `select ${lock}("lock") from unnest('{${locks.join()}}'::bigint[]) as "lock"`;
    const begin = [
      ...["begin", call("pg_advisory_lock"), "commit"],
      ...SERIALIZABLE.begin,
      ...[call("pg_advisory_xact_lock"), call("pg_advisory_unlock")],
    ];
    return { ...SERIALIZABLE, begin: [begin.join("; ")], locks: true };
  };
}

/** The number of the lock that stands for a record. */
const lockOf = (text: string): bigint => createHash("sha256").update(text).digest().readBigInt64BE();
