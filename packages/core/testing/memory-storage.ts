import { AsyncLocalStorage } from "node:async_hooks";
import type { SearchDocument, Storage, StorageWriter, Transaction } from "../src/ports/storage.ts";
import { type TableName, tables } from "../src/tables.ts";
import { copyJson } from "./copy-json.ts";
import { type SearchDocuments, searchDocuments } from "./memory-search.ts";
import { createMemoryTable, type MemoryTable, type StoredRecord, type TableQuery } from "./memory-table.ts";

/** Takes back one change. */
type Undo = () => void;

/** Storage in memory, with the promises of the port save durability. Everything happens one after the other. */
export function createMemoryStorage(): Storage {
  const verbs = createVerbs();
  const inside = new AsyncLocalStorage<{ ended: boolean }>();
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  const alone = <T>(run: () => Promise<T>): Promise<T> => {
    if (closed) return Promise.reject(new Error("the storage is closed"));
    if (inside.getStore()?.ended === false) return Promise.reject(new Error("the outer storage was used inside a transaction"));
    const turn = last.then(run);
    last = turn.catch(() => undefined);
    return turn;
  };

  const single = <T>(run: (undo: Undo[]) => T): Promise<T> => alone(async () => orUndo(run));

  return {
    get: (table, id) => single(() => verbs.get(table, id)) as never,
    find: (table, query) => single(() => verbs.find(table, query)) as never,
    count: (table, where, up_to) => single(() => verbs.find(table, { where, limit: up_to }).length),
    search: (query) => single(() => searchDocuments(verbs.documents, query)),
    insert: (table, record) => single((undo) => verbs.insert(table, record, undo)) as never,
    update: (table, where, change) => single((undo) => verbs.update(table, where, change, undo)) as never,
    delete: (table, where) => single((undo) => verbs.delete(table, where, undo)),
    transaction: (run) =>
      alone(async () => {
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
    ping: () => alone(async () => undefined),
    async close() {
      closed = true;
      await last;
    },
  };
}

/** A statement is all or nothing too. */
function orUndo<T>(run: (undo: Undo[]) => T): T {
  const undo: Undo[] = [];
  try {
    return run(undo);
  } catch (error) {
    takeBack(undo);
    throw error;
  }
}

function takeBack(undo: Undo[]): void {
  for (const step of undo.reverse()) step();
}

type Verbs = ReturnType<typeof createVerbs>;

/** The verbs over tables in memory; each change leaves in `undo` how to take it back. */
function createVerbs() {
  const stored = new Map<TableName, MemoryTable>();
  for (const name of Object.keys(tables) as TableName[]) stored.set(name, createMemoryTable(name));
  const tableOf = (name: TableName) => stored.get(name) as MemoryTable;
  const documents: SearchDocuments = new Map();

  const put = (table: MemoryTable, record: StoredRecord, before: StoredRecord | undefined, undo: Undo[]) => {
    if (before !== undefined) table.remove(before);
    table.put(record);
    undo.push(() => {
      table.remove(record);
      if (before !== undefined) table.put(before);
    });
  };

  const setDocument = (id: string, document: SearchDocument | undefined, undo: Undo[]) => {
    const before = documents.get(id);
    const set = (value: SearchDocument | undefined) => (value === undefined ? documents.delete(id) : documents.set(id, value));
    set(document);
    undo.push(() => set(before));
  };

  return {
    documents,
    get(name: TableName, id: string) {
      const column = tables[name].key[0] as string;
      return copyJson(tableOf(name).find({ where: { [column]: id }, limit: 1 })[0]);
    },
    find(name: TableName, query: TableQuery | object) {
      return copyJson(tableOf(name).find(query as TableQuery));
    },
    insert(name: TableName, record: StoredRecord, undo: Undo[]) {
      const table = tableOf(name);
      const admitted = table.admit(record);
      const clash = table.clash(admitted);
      if (clash !== undefined) return { record: copyJson(clash), inserted: false };
      put(table, admitted, undefined, undo);
      return { record: copyJson(admitted), inserted: true };
    },
    update(name: TableName, where: object, change: object, undo: Undo[]) {
      const table = tableOf(name);
      const found = table.find({ where: where as TableQuery["where"], limit: Infinity });
      return found.map((before) => {
        const changed = table.admit(applyChange(before, change));
        if (table.clash(changed, table.keyOf(before)) !== undefined)
          throw new Error(`the update of ${name} breaks a unique index`);
        put(table, changed, before, undo);
        return copyJson(changed);
      });
    },
    delete(name: TableName, where: object, undo: Undo[]) {
      const table = tableOf(name);
      const found = table.find({ where: where as TableQuery["where"], limit: Infinity });
      for (const record of found) {
        table.remove(record);
        undo.push(() => table.put(record));
      }
      return found.length;
    },
    index(document: SearchDocument, undo: Undo[]) {
      setDocument(document.message_id, structuredClone(document), undo);
    },
    unindex(message_id: string, undo: Undo[]) {
      setDocument(message_id, undefined, undo);
    },
  };
}

function applyChange(record: StoredRecord, change: object): StoredRecord {
  const changed = { ...record };
  for (const [column, value] of Object.entries(change)) {
    if (value === undefined) throw new Error(`the change of ${column} is undefined`);
    const counts = typeof record[column] === "number" && typeof value === "object" && value !== null;
    changed[column] = counts ? (record[column] as number) + (value as { add: number }).add : value;
  }
  return changed;
}

/** The handle that `run` gets. What it appends is stored at once; a clash is kept and fails whatever comes next. */
function createHandle(
  verbs: Verbs,
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
