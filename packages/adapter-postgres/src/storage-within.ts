import type { Storage } from "@letterslot/core";
import type { Row } from "@letterslot/sql";
import type pg from "pg";
import { attemptTransaction, savepoint } from "./attempt-transaction.ts";
import { connectionOf } from "./client-connection.ts";
import type { Connection } from "./database.ts";
import { type AnyKysely, connectionOfKysely } from "./kysely-database.ts";
import { outwardError } from "./postgres-trouble.ts";
import type { TransactionParts } from "./run-transaction.ts";
import { searchOn, sessionOf } from "./session.ts";

/**
 * The storage within an open transaction of somebody else; each of its own transactions is a savepoint, one
 * at a time.
 */
export function storageWithin(
  owner: pg.ClientBase | Pick<AnyKysely, "executeQuery">,
  parts: TransactionParts,
  prepare: boolean,
): Storage {
  const connection: Connection =
    "executeQuery" in owner ? connectionOfKysely(owner as AnyKysely) : connectionOf(owner, prepare);
  const { verbs, search, transaction_timeout_ms: timeout_ms } = parts;
  const session = sessionOf(connection);
  let last: Promise<unknown> = Promise.resolve();

  /** A statement between another's savepoint and its release would share its fate. */
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const turn = last.then(run).catch((error: unknown) => {
      throw outwardError(error);
    });
    last = turn.catch(() => undefined);
    return turn;
  };
  const changing = () => undefined;

  const storage = {
    get: (table: never, id: string) => inTurn(() => verbs.get(session, table, id)),
    find: (table: never, query: never) => inTurn(() => verbs.find(session, table, query)),
    count: (table: never, where: Row, up_to: number) =>
      inTurn(() => verbs.count(session, table, where, up_to)),
    search: (query: never) => inTurn(() => searchOn(connection, search, query)),
    insert: (table: never, record: Row) => inTurn(() => verbs.insert(session, table, record)),
    update: (table: never, where: Row, change: Row) =>
      inTurn(() => verbs.update(session, table, where, change)),
    delete: (table: never, where: Row) => inTurn(() => verbs.delete(session, table, where)),
    transaction: (run: Parameters<Storage["transaction"]>[0]) =>
      inTurn(() =>
        attemptTransaction({ ...parts, connection, brackets: savepoint, timeout_ms, changing }, run),
      ),
    ping: () => inTurn(async () => void (await connection.run({ sql: "select 1", parameters: [] }))),
    // It ends with its owner's transaction.
    close: async () => undefined,
  };
  return storage as unknown as Storage;
}
