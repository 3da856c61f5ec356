import { type OnClose, OWNER_TABLES, type TableName, tables } from "./tables.ts";

/** A record of any table. */
export type AnyRecord = Record<string, unknown>;

/** A table whose records go when an inbox is closed or purged. */
export interface ClosedTable {
  table: TableName;
  /** The column that records of one inbox are in order of. */
  order: string;
}

const NAMES = Object.keys(tables) as TableName[];

/** The tables in which closing an inbox does this, as they declare it. */
export function tablesClosedBy(on_close: OnClose): ClosedTable[] {
  return NAMES.filter((table) => onCloseOf(table) === on_close).map((table) => ({
    table,
    order: orderWithinInbox(table),
  }));
}

/** The tables whose records belong to a record of this one, with the column that names it. */
export function tablesOf(owner: TableName): { table: TableName; column: string }[] {
  return NAMES.flatMap((table) => {
    const { of } = tables[table];
    return of !== null && table !== owner && OWNER_TABLES[of] === owner ? [{ table, column: of }] : [];
  });
}

const onCloseOf = (table: TableName): OnClose | undefined =>
  (tables[table] as { on_close?: OnClose }).on_close;

/** What an index that begins with the inbox orders by; the primary key where the inbox is all that it has. */
function orderWithinInbox(table: TableName): string {
  const { key, indexes } = tables[table] as {
    key: readonly string[];
    indexes: readonly (readonly string[])[];
  };
  const index = [key, ...indexes].find(([first, ...others]) => first === "inbox_id" && others.length > 0);
  return index?.[1] ?? (key[0] as string);
}
