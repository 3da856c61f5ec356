import { type SearchDocument, type SearchQuery, type TableName, tables } from "@letterslot/core/ports";
import { compare, matches, type Row } from "./conditions.ts";
import { search } from "./words.ts";

/** The committed rows, by table and key. Search documents are one more table. */
export type State = Map<string, ReadonlyMap<string, Row>>;

/** One change as the journal stores it: the row under its key, or null if it was deleted. */
export type Change = [table: string, key: string, row: Row | null];

const DOCUMENTS_TABLE = "search documents";

/** An uncommitted transaction: its reads see its own changes, and discarding it rolls everything back. */
export type Draft = ReturnType<typeof createDraft>;

/** Starts a draft from the committed rows. Rows are immutable, so a table is copied only when written to. */
export function createDraft(state: State) {
  const own = new Map<string, Map<string, Row>>();
  let changes: Change[] = [];

  const rowsOf = (table: string): ReadonlyMap<string, Row> => own.get(table) ?? state.get(table) ?? new Map();
  const put = (table: string, key: string, row: Row | null) => {
    const rows = own.get(table) ?? new Map(rowsOf(table));
    own.set(table, rows);
    if (row === null) rows.delete(key);
    else rows.set(key, row);
    changes.push([table, key, row]);
  };
  const matching = (table: TableName, where: Row) =>
    [...rowsOf(table)].filter(([, row]) => matches(row, where));

  return {
    changes: () => changes,
    find(
      table: TableName,
      where: Row,
      limit: number,
      order?: { by: string; direction: "asc" | "desc" },
    ): Row[] {
      const found = matching(table, where).map(([, row]) => row);
      if (order !== undefined)
        found.sort((a, b) => compare(a[order.by], b[order.by]) * (order.direction === "asc" ? 1 : -1));
      return structuredClone(found.slice(0, limit));
    },
    insert(table: TableName, record: Row): { record: Row; inserted: boolean } {
      const conflict = findConflict(table, rowsOf(table).values(), record);
      if (conflict === undefined) put(table, keyOf(table, record), structuredClone(record));
      return { record: structuredClone(conflict ?? record), inserted: conflict === undefined };
    },
    update(table: TableName, where: Row, change: Row): Row[] {
      const before = { rows: new Map(rowsOf(table)), count: changes.length };
      const updated = matching(table, where).map(([key, row]) => {
        const next = applyChange(row, change);
        put(table, key, null);
        const conflict = findConflict(table, rowsOf(table).values(), next);
        put(table, keyOf(table, next), next);
        return { next, conflict };
      });
      if (updated.every(({ conflict }) => conflict === undefined))
        return structuredClone(updated.map(({ next }) => next));
      // Each statement is atomic too, for a transaction that catches the error and continues.
      own.set(table, before.rows);
      changes = changes.slice(0, before.count);
      throw new Error(`the update of ${table} breaks a unique index`);
    },
    delete(table: TableName, where: Row): number {
      const found = matching(table, where);
      for (const [key] of found) put(table, key, null);
      return found.length;
    },
    index: (document: SearchDocument) =>
      put(DOCUMENTS_TABLE, document.message_id, structuredClone(document) as unknown as Row),
    unindex: (message_id: string) => put(DOCUMENTS_TABLE, message_id, null),
    search: (query: SearchQuery) =>
      search(rowsOf(DOCUMENTS_TABLE).values() as Iterable<unknown> as Iterable<SearchDocument>, query),
  };
}

/** A row's primary key as a single string. */
function keyOf(table: TableName, row: Row): string {
  return JSON.stringify(tables[table].key.map((column) => row[column]));
}

/** Finds a row with the record's primary key or one of its unique keys; nulls never conflict. */
function findConflict(table: TableName, rows: Iterable<Row>, record: Row): Row | undefined {
  const unique: readonly (readonly string[])[] = [tables[table].key, ...tables[table].unique];
  const collides = (row: Row) =>
    unique.some((columns) =>
      columns.every((column) => record[column] !== null && row[column] === record[column]),
    );
  for (const row of rows) if (collides(row)) return row;
  return undefined;
}

/** Returns the row with a change applied; `{add: n}` increments. */
function applyChange(row: Row, change: Row): Row {
  const next = { ...row };
  for (const [column, value] of Object.entries(change)) {
    const counts = typeof row[column] === "number" && typeof value === "object" && value !== null;
    next[column] = counts ? (row[column] as number) + (value as { add: number }).add : structuredClone(value);
  }
  return next;
}
