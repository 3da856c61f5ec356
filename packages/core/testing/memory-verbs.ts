import { type TableName, tables } from "../src/model/tables.ts";
import type { SearchDocument } from "../src/ports/search.ts";
import { copyJson } from "./copy-json.ts";
import type { SearchDocuments } from "./memory-search.ts";
import { createMemoryTable, type MemoryTable, type StoredRecord, type TableQuery } from "./memory-table.ts";

/** Undoes one change. */
export type Undo = () => void;

/** Runs a statement atomically. */
export function orUndo<T>(run: (undo: Undo[]) => T): T {
  const undo: Undo[] = [];
  try {
    return run(undo);
  } catch (error) {
    takeBack(undo);
    throw error;
  }
}

/** Undoes changes, newest first. */
export function takeBack(undo: Undo[]): void {
  for (const step of undo.reverse()) step();
}

/** The storage operations on in-memory tables. */
export type MemoryVerbs = ReturnType<typeof createVerbs>;

/** Creates the storage operations on in-memory tables; each change adds its undo step to `undo`. */
export function createVerbs() {
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
    const set = (value: SearchDocument | undefined) =>
      value === undefined ? documents.delete(id) : documents.set(id, value);
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
