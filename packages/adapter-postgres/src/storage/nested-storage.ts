import type { Storage } from "@letterslot/core/ports";
import { createRecordLocks, createSqlStorage } from "@letterslot/sql";
import type pg from "pg";
import { connectionOf } from "../connections/client-connection.ts";
import type { Connection } from "../connections/database.ts";
import { type AnyKysely, connectionOfKysely } from "../connections/kysely-database.ts";
import type { TransactionServices } from "./attempt-transaction.ts";
import { attemptTransaction, SAVEPOINT } from "./attempt-transaction.ts";
import { toPublicError } from "./postgres-errors.ts";
import { searchOn, sessionOn } from "./session.ts";

/** A storage within an embedder's open transaction; its own transactions are savepoints, one at a time. */
export function createNestedStorage(
  owner: pg.ClientBase | Pick<AnyKysely, "executeQuery">,
  services: TransactionServices,
  prepare: boolean,
): Storage {
  const connection: Connection =
    "executeQuery" in owner ? connectionOfKysely(owner as AnyKysely) : connectionOf(owner, prepare);
  const { verbs, search, transaction_timeout_ms: timeout_ms } = services;
  const session = sessionOn(connection);
  const locks = createRecordLocks();
  /** A statement sent between another call's savepoint and its release would be rolled back with it. */
  const alone = <T>(run: () => Promise<T>): Promise<T> => locks.hold("connection", run);
  const onChange = () => undefined;

  return createSqlStorage(verbs, {
    read: (run) => alone(() => run(session)),
    write: (run) => alone(() => run(session)),
    search: (query) => alone(() => searchOn(connection, search, query)),
    transaction: (run) =>
      alone(() =>
        attemptTransaction({ ...services, connection, brackets: SAVEPOINT, timeout_ms, onChange }, run),
      ),
    ping: () => alone(async () => void (await connection.run({ sql: "select 1", parameters: [] }))),
    // The embedder ends the transaction.
    close: async () => undefined,
    toPublicError,
  }).storage;
}
