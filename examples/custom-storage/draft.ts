import { type SearchDocument, type SearchQuery, type TableName, tables } from "@letterslot/core";
import { compare, meets, type Row } from "./conditions.ts";
import { search } from "./words.ts";

/** What is committed: rows by table and key. The search documents are one more table. */
export type State = Map<string, ReadonlyMap<string, Row>>;

/** One change of a draft, as the journal keeps it: a row under its key, or null where it was deleted. */
export type Change = [table: string, key: string, row: Row | null];

/** The table that search documents are in. */
const documents = "search documents";

/**
 * What a transaction does before it is committed: reads see its own changes, and dropping it takes everything
 * back.
 */
export type Draft = ReturnType<typeof createDraft>;

/**
 * Begins a draft on what is committed. Rows are never changed in place, so a table is copied only when it is
 * written to.
 */
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
    [...rowsOf(table)].filter(([, row]) => meets(row, where));

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
      const clash = clashing(table, rowsOf(table).values(), record);
      if (clash === undefined) put(table, keyOf(table, record), structuredClone(record));
      return { record: structuredClone(clash ?? record), inserted: clash === undefined };
    },
    update(table: TableName, where: Row, change: Row): Row[] {
      const before = { rows: new Map(rowsOf(table)), count: changes.length };
      const updated = matching(table, where).map(([key, row]) => {
        const next = changed(row, change);
        put(table, key, null);
        const clash = clashing(table, rowsOf(table).values(), next);
        put(table, keyOf(table, next), next);
        return { next, clash };
      });
      if (updated.every(({ clash }) => clash === undefined))
        return structuredClone(updated.map(({ next }) => next));
      // A statement is all or nothing too, for a transaction that catches its error and goes on.
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
      put(documents, document.message_id, structuredClone(document) as unknown as Row),
    unindex: (message_id: string) => put(documents, message_id, null),
    search: (query: SearchQuery) =>
      search(rowsOf(documents).values() as Iterable<unknown> as Iterable<SearchDocument>, query),
  };
}

/** A row's primary key as one word. */
function keyOf(table: TableName, row: Row): string {
  return JSON.stringify(tables[table].key.map((column) => row[column]));
}

/** The row that holds the record's primary key or one of its unique columns; nulls don't clash. */
function clashing(table: TableName, rows: Iterable<Row>, record: Row): Row | undefined {
  const unique: readonly (readonly string[])[] = [tables[table].key, ...tables[table].unique];
  const holds = (row: Row) =>
    unique.some((columns) =>
      columns.every((column) => record[column] !== null && row[column] === record[column]),
    );
  for (const row of rows) if (holds(row)) return row;
  return undefined;
}

/** A row with a change written to it; `{add: n}` counts. */
function changed(row: Row, change: Row): Row {
  const next = { ...row };
  for (const [column, value] of Object.entries(change)) {
    const counts = typeof row[column] === "number" && typeof value === "object" && value !== null;
    next[column] = counts ? (row[column] as number) + (value as { add: number }).add : structuredClone(value);
  }
  return next;
}
