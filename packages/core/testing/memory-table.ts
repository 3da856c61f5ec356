import { type Column, columnsOf, type TableName, tables } from "../src/model/tables.ts";
import type { Value } from "../src/ports/storage.ts";
import { compareValues } from "./compare-values.ts";
import { copyJson } from "./copy-json.ts";
import { meets, type ReadCondition, readWhere } from "./match-condition.ts";
import { createMemoryIndex, type MemoryIndex } from "./memory-index.ts";

/** A stored record. Stored records are never modified; a change replaces them. */
export type StoredRecord = Record<string, unknown>;

/** A query without its table's type. */
export interface TableQuery {
  where: Record<string, unknown>;
  order?: { by: string; direction: "asc" | "desc" };
  limit: number;
}

/** One in-memory table: records by key, and its declared indexes. */
export interface MemoryTable {
  name: TableName;
  find(query: TableQuery): StoredRecord[];
  /** The record that conflicts with a key of the given one, except the record with key `except`. */
  clash(record: StoredRecord, except?: string): StoredRecord | undefined;
  keyOf(record: StoredRecord): string;
  put(record: StoredRecord): void;
  remove(record: StoredRecord): void;
  /** Returns a validated copy to store; throws when a column is missing, unknown or of the wrong type. */
  admit(record: StoredRecord): StoredRecord;
}

/** Creates an empty table with the indexes declared in `tables.ts`. */
export function createMemoryTable(name: TableName): MemoryTable {
  const { key, unique, indexes } = tables[name];
  const columns = new Map(columnsOf(name).map((column) => [column.name, column]));
  const records = new Map<string, StoredRecord>();
  const all: MemoryIndex[] = [
    createMemoryIndex(key, true),
    ...unique.map((list) => createMemoryIndex(list, true)),
    ...indexes.map((list) => createMemoryIndex(list, false)),
  ];
  const keyOf = (record: StoredRecord) => JSON.stringify(key.map((column) => record[column]));

  const remove = (record: StoredRecord) => {
    const id = keyOf(record);
    const stored = records.get(id);
    if (stored === undefined) return;
    records.delete(id);
    for (const index of all) index.remove(stored, id);
  };

  return {
    name,
    keyOf,
    remove,
    put(record) {
      remove(record);
      const id = keyOf(record);
      records.set(id, record);
      for (const index of all) index.add(record, id);
    },
    clash(record, except) {
      for (const index of all) {
        const id = index.clash(record);
        if (id !== undefined && id !== except) return records.get(id);
      }
      return undefined;
    },
    admit(record) {
      for (const column of columns.values()) checkValue(name, column, record[column.name]);
      for (const column of Object.keys(record))
        if (!columns.has(column)) throw new Error(`${name} has no column ${column}`);
      return copyJson(record);
    },
    find({ where, order, limit }) {
      const conditions = readWhere(where);
      for (const column of [...conditions.keys(), ...(order ? [order.by] : [])]) {
        if (!columns.has(column)) throw new Error(`${name} has no column ${column}`);
      }
      const walk = planWalk(all, conditions, order);
      const found: StoredRecord[] = [];
      for (const id of walk.keys) {
        const record = records.get(id);
        if (
          record === undefined ||
          ![...conditions].every(([column, condition]) => meets(record[column], condition))
        )
          continue;
        found.push(record);
        if (walk.inOrder && found.length >= limit) break;
      }
      if (order !== undefined && !walk.inOrder) sortBy(found, order);
      return found.slice(0, limit);
    },
  };
}

function sortBy(records: StoredRecord[], { by, direction }: { by: string; direction: "asc" | "desc" }): void {
  const sign = direction === "asc" ? 1 : -1;
  records.sort((a, b) => sign * compareValues(a[by] as Value, b[by] as Value));
}

/** Chooses the index that matches the most conditions, and tells whether it yields the requested order. */
function planWalk(
  indexes: readonly MemoryIndex[],
  conditions: Map<string, ReadCondition>,
  order: TableQuery["order"],
): { keys: Iterable<string>; inOrder: boolean } {
  let best = { index: indexes[0] as MemoryIndex, fixed: 0, score: -1 };
  for (const index of indexes) {
    let fixed = 0;
    while (fixed < index.columns.length && conditions.get(index.columns[fixed] as string)?.in !== undefined)
      fixed++;
    const next = index.columns[fixed];
    const helps = next !== undefined && (next === order?.by || (fixed > 0 && conditions.has(next)));
    const score = fixed * 2 + (helps ? 1 : 0);
    if (score > best.score) best = { index, fixed, score };
  }

  const { index, fixed } = best;
  const prefixes = prefixesOf(
    index.columns.slice(0, fixed).map((column) => conditions.get(column)?.in ?? []),
  );
  const nextColumn = index.columns[fixed];
  const next = (nextColumn !== undefined && conditions.get(nextColumn)) || {};
  const inOrder = prefixes.length <= 1 && (order === undefined || order.by === nextColumn);
  const direction = order?.direction ?? "asc";
  const keys = (function* () {
    for (const prefix of prefixes) yield* index.scan(prefix, next, direction);
  })();
  return { keys, inOrder };
}

/** Every distinct combination of one value per column. */
function prefixesOf(choices: readonly (readonly Value[])[]): Value[][] {
  let prefixes: Value[][] = [[]];
  for (const values of choices)
    prefixes = prefixes.flatMap((prefix) => [...new Set(values)].map((value) => [...prefix, value]));
  return prefixes;
}

const TYPE_NAMES = { text: "string", integer: "number", boolean: "boolean", json: "object" } as const;

function checkValue(table: TableName, column: Column, value: unknown): void {
  if (value === null && column.nullable) return;
  const fits =
    value !== null &&
    typeof value === TYPE_NAMES[column.type] &&
    (column.type !== "integer" || Number.isSafeInteger(value));
  if (!fits) throw new Error(`${table}.${column.name} can't hold ${value === null ? "null" : typeof value}`);
}
