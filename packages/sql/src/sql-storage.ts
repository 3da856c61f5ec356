import { AsyncLocalStorage } from "node:async_hooks";
import type { SearchQuery, Step, Storage, Transaction, TransactionIntent } from "@letterslot/core/ports";
import type { Row } from "./sql-dialect.ts";
import type { SqlSession, Verbs } from "./verbs.ts";

/** The part of a storage that an adapter writes. */
export interface SqlBackend {
  /** Runs a read on a session that shows only committed data. */
  read<T>(run: (session: SqlSession) => Promise<T>): Promise<T>;
  /** Runs a single write; resolves once it is durable. */
  write<T>(run: (session: SqlSession) => Promise<T>): Promise<T>;
  search(query: SearchQuery): Promise<string[]>;
  /** Runs a transaction as if alone, all or nothing; resolves once it is durable. */
  transaction<T>(run: (tx: Transaction) => Promise<T>, intent?: TransactionIntent): Promise<T>;
  /** Throws when the database can't do its work. */
  ping(): Promise<void>;
  /** Closes files and connections. Called once, when nothing is running any more. */
  close(): Promise<void>;
  /** Turns a driver's error into the one to throw: `storage_unavailable` when the machine is at fault. */
  toPublicError(error: unknown): unknown;
}

/** A storage, and the guard of its verbs for an adapter's own entry points. */
export interface GuardedStorage {
  storage: Storage;
  /** Runs `work` unless the storage is closed or the caller is inside a transaction; maps its errors. */
  guard<T>(work: () => Promise<T>): Promise<T>;
}

/** The storage port over a backend. */
export function createSqlStorage(verbs: Verbs, backend: SqlBackend): GuardedStorage {
  const { read, write } = backend;
  const inside = new AsyncLocalStorage<{ ended: boolean }>();
  let running = 0;
  let onIdle = () => {};
  let closing: Promise<void> | undefined;

  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    if (closing !== undefined) throw new Error("the storage is closed");
    // The transaction would wait for itself.
    if (inside.getStore()?.ended === false)
      throw new Error("the outer storage was used inside a transaction");
    running += 1;
    try {
      return await work();
    } catch (error) {
      throw backend.toPublicError(error);
    } finally {
      running -= 1;
      if (running === 0) onIdle();
    }
  };
  const close = async () => {
    if (running > 0)
      await new Promise<void>((resolve) => {
        onIdle = resolve;
      });
    await backend.close();
  };

  const storage = {
    get: (table: never, id: string) => guard(() => read(async (session) => verbs.get(session, table, id))),
    follow: (table: never, id: string, steps: readonly Step[]) =>
      guard(() => read(async (session) => verbs.follow(session, table, id, steps))),
    find: (table: never, query: never) =>
      guard(() => read(async (session) => verbs.find(session, table, query))),
    count: (table: never, where: Row, up_to: number) =>
      guard(() => read(async (session) => verbs.count(session, table, where, up_to))),
    search: (query: SearchQuery) => guard(() => backend.search(query)),
    insert: (table: never, record: Row) =>
      guard(() => write(async (session) => verbs.insert(session, table, record))),
    update: (table: never, where: Row, change: Row) =>
      guard(() => write(async (session) => verbs.update(session, table, where, change))),
    delete: (table: never, where: Row) =>
      guard(() => write(async (session) => verbs.delete(session, table, where))),
    transaction: (run: (tx: Transaction) => Promise<unknown>, intent?: TransactionIntent) =>
      guard(async () => {
        const scope = { ended: false };
        try {
          return await backend.transaction((tx) => inside.run(scope, () => run(tx)), intent);
        } finally {
          scope.ended = true;
        }
      }),
    ping: () => guard(backend.ping),
    close() {
      closing ??= close();
      return closing;
    },
  };
  return { storage: storage as unknown as Storage, guard };
}
