import { AsyncLocalStorage } from "node:async_hooks";
import type { TableName } from "../src/model/tables.ts";
import type { Step, Storage, StorageWriter, Transaction } from "../src/ports/storage.ts";
import { searchDocuments } from "./memory-search.ts";
import { createVerbs, type MemoryVerbs, orUndo, takeBack, type Undo } from "./memory-verbs.ts";

/** In-memory storage with every promise of the port except durability. Operations run one at a time. */
export function createMemoryStorage(): Storage {
  const verbs = createVerbs();
  const inside = new AsyncLocalStorage<{ ended: boolean }>();
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;
  let version = 0;

  const alone = <T>(run: () => Promise<T>): Promise<T> => {
    if (closed) return Promise.reject(new Error("the storage is closed"));
    if (inside.getStore()?.ended === false)
      return Promise.reject(new Error("the outer storage was used inside a transaction"));
    const turn = last.then(run);
    last = turn.catch(() => undefined);
    return turn;
  };

  const read = <T>(run: () => T): Promise<T> => alone(async () => run());
  const commit = <T>(run: () => Promise<T>): Promise<T> =>
    alone(async () => {
      try {
        return await run();
      } finally {
        version++;
      }
    });
  const single = <T>(run: (undo: Undo[]) => T): Promise<T> => commit(async () => orUndo(run));

  return {
    get: (table, id) => read(() => verbs.get(table, id)) as never,
    follow: (table, id, steps) => read(() => followSteps(verbs, table, id, steps)) as never,
    find: (table, query) => read(() => verbs.find(table, query)) as never,
    count: (table, where, up_to) => read(() => verbs.find(table, { where, limit: up_to }).length),
    search: (query) => read(() => searchDocuments(verbs.documents, query)),
    insert: (table, record) => single((undo) => verbs.insert(table, record, undo)) as never,
    update: (table, where, change) => single((undo) => verbs.update(table, where, change, undo)) as never,
    delete: (table, where) => single((undo) => verbs.delete(table, where, undo)),
    transaction: (run) =>
      commit(async () => {
        const undo: Undo[] = [];
        const scope = { ended: false };
        const { handle, failure } = createHandle(verbs, undo, scope);
        try {
          const result = await inside.run(scope, () => run(handle));
          scope.ended = true;
          const failed = failure();
          if (failed !== undefined) throw failed;
          return result;
        } catch (error) {
          scope.ended = true;
          takeBack(undo);
          throw error;
        }
      }),
    version: () => version,
    ping: () => alone(async () => undefined),
    async close() {
      closed = true;
      await last;
    },
  };
}

function followSteps(verbs: MemoryVerbs, table: TableName, id: string, steps: readonly Step[]): unknown[] {
  const found: (Record<string, unknown> | undefined)[] = [verbs.get(table, id)];
  for (const [column, next] of steps) {
    const named = found.at(-1)?.[column];
    found.push(typeof named === "string" ? verbs.get(next, named) : undefined);
  }
  return found;
}

/**
 * The handle passed to `run`. Appended records are stored at once; a conflict is remembered and fails the
 * next operation.
 */
function createHandle(
  verbs: MemoryVerbs,
  undo: Undo[],
  scope: { ended: boolean },
): { handle: Transaction; failure: () => Error | undefined } {
  let failed: Error | undefined;

  const check = () => {
    if (scope.ended) throw new Error("the transaction has ended");
    if (failed !== undefined) throw failed;
  };
  const verb = async <T>(run: (undo: Undo[]) => T): Promise<T> => {
    check();
    const own: Undo[] = [];
    try {
      return run(own);
    } catch (error) {
      takeBack(own.splice(0));
      throw error;
    } finally {
      undo.push(...own);
    }
  };

  const reader: StorageWriter = {
    get: (table, id) => verb(() => verbs.get(table, id)) as never,
    follow: (table, id, steps) => verb(() => followSteps(verbs, table, id, steps)) as never,
    find: (table, query) => verb(() => verbs.find(table, query)) as never,
    count: (table, where, up_to) => verb(() => verbs.find(table, { where, limit: up_to }).length),
    search: (query) => verb(() => searchDocuments(verbs.documents, query)),
    insert: (table, record) => verb((own) => verbs.insert(table, record, own)) as never,
    update: (table, where, change) => verb((own) => verbs.update(table, where, change, own)) as never,
    delete: (table, where) => verb((own) => verbs.delete(table, where, own)),
  };
  const handle: Transaction = {
    ...reader,
    append(table, records) {
      check();
      for (const record of records) {
        if (verbs.insert(table, record, undo).inserted) continue;
        failed = new Error(`what was appended to ${table} is there already`);
        return;
      }
    },
    index(documents) {
      check();
      for (const document of documents) verbs.index(document, undo);
    },
    unindex(message_ids) {
      check();
      for (const id of message_ids) verbs.unindex(id, undo);
    },
  };
  return { handle, failure: () => failed };
}
