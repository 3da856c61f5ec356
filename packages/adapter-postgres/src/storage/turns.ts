import { hash } from "node:crypto";
import { type TableName, tables } from "@letterslot/core/ports";
import pg from "pg";
import type { Database } from "../connections/database.ts";
import { type Declared, keyOf } from "../group-commit/index.ts";
import { quoteName } from "../schema.ts";
import { type Brackets, SERIALIZABLE, type TransactionServices } from "./attempt-transaction.ts";

/** The brackets of a transaction in which all of these run: it takes its turn at the records that they declare. */
export type InTurn = (declared: readonly Declared[]) => Brackets;

const FOR_SERIALIZABLE = SERIALIZABLE.begin.join("");

/**
 * Lets transactions that declare the same record take turns at it, in all processes. A turn is an advisory lock, which is
 * taken before the snapshot: so neither fails because of the other.
 *
 * A serializable transaction takes its snapshot with its first query, even one that waits for a lock; so the session waits
 * for the lock, and hands it to the transaction. Where a pooler may share the session, the transaction itself waits, and
 * fails if the record has changed meanwhile.
 *
 * Those that read only their own records need no more than their turn: each statement sees what was committed before it.
 * They lock the record itself as well, for the sake of transactions that take no turn, such as an embedder's.
 */
export function createTurns(
  { lends_sessions }: Pick<Database, "lends_sessions">,
  { schema, transaction_timeout_ms }: Pick<TransactionServices, "schema" | "transaction_timeout_ms">,
): InTurn {
  // Those before may each take their time. It ends before the transaction's own, which would not tell why.
  const patiently = `set local lock_timeout = ${Math.ceil(0.9 * transaction_timeout_ms)}`;
  return (declared) => {
    // In the same order everywhere: no two wait for each other.
    const locks = [...new Set(declared.map(({ changes }) => lockOf(`${schema} ${keyOf(changes)}`)))].sort(
      (one, other) => (one < other ? -1 : 1),
    );
    const call = (lock: string) =>
      `select ${lock}("lock") from unnest('{${locks.join()}}'::bigint[]) as "lock"`;
    const transactionWaits = [patiently, call("pg_advisory_xact_lock"), ...rowLocks(schema, declared)];
    if (declared.every(({ reads_own }) => reads_own))
      return asOne(["begin isolation level read committed", ...transactionWaits]);
    if (!lends_sessions) return asOne([FOR_SERIALIZABLE, ...transactionWaits]);
    const sessionWaits = ["begin", patiently, call("pg_advisory_lock"), "commit"];
    const handsOver = [call("pg_advisory_xact_lock"), call("pg_advisory_unlock")];
    return {
      ...asOne([...sessionWaits, FOR_SERIALIZABLE, ...handsOver]),
      locks: true,
      // Some may be the session's still.
      rollback: [...SERIALIZABLE.rollback, "select pg_advisory_unlock_all()"],
    };
  };
}

const asOne = (begin: readonly string[]): Brackets => ({ ...SERIALIZABLE, begin: [begin.join("; ")] });

/** Statements that lock the declared records, in the order of their keys. */
function rowLocks(schema: string, declared: readonly Declared[]): string[] {
  const ids = new Map<TableName, Set<string>>();
  for (const { changes } of declared)
    ids.set(changes.table, (ids.get(changes.table) ?? new Set()).add(changes.id));
  return [...ids].map(([table, some]) => {
    const key = quoteName(tables[table].key[0] as string);
    const list = [...some].map((id) => pg.escapeLiteral(id)).join();
    return `select from ${quoteName(schema)}.${quoteName(table)} where ${key} in (${list}) order by ${key} for no key update`;
  });
}

/** The number of the lock that stands for a record. */
const lockOf = (text: string): bigint => hash("sha256", text, "buffer").readBigInt64BE();
