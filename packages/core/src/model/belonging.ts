import { type OnClose, OWNER_TABLES, type TableName, tables } from "./tables.ts";

/** A record of any table. */
export type AnyRecord = Record<string, unknown>;

/** A table whose records are closed with their inbox or account. */
export interface ClosedTable {
  table: TableName;
  /** The column by which the records of one inbox or account are ordered. */
  order: string;
}

const NAMES = Object.keys(tables) as TableName[];

/** Lists the tables that declare this treatment of their records when an inbox is closed. */
export function tablesClosedBy(on_close: OnClose): ClosedTable[] {
  return NAMES.filter((table) => onCloseOf(table) === on_close).map((table) => ({
    table,
    order: orderWithin(table, "inbox_id") ?? (tables[table].key[0] as string),
  }));
}

/**
 * Lists the tables whose records belong to an account and are found by it. An account's other tables have no index that
 * begins with it: their records go with its inboxes, or are found in another way.
 */
export function tablesOfAccount(): ClosedTable[] {
  return NAMES.filter((table) => tables[table].of === "account_id").flatMap((table) => {
    const order = orderWithin(table, "account_id");
    return order === undefined ? [] : [{ table, order }];
  });
}

/** Lists the tables whose records belong to a record of this one, with the column that names it. */
export function tablesOf(owner: TableName): { table: TableName; column: string }[] {
  return NAMES.flatMap((table) => {
    const { of } = tables[table];
    return of !== null && table !== owner && OWNER_TABLES[of] === owner ? [{ table, column: of }] : [];
  });
}

const onCloseOf = (table: TableName): OnClose | undefined =>
  (tables[table] as { on_close?: OnClose }).on_close;

/**
 * Returns the column by which an index that begins with `column` is ordered, or `column` itself where it is the whole
 * primary key.
 */
function orderWithin(table: TableName, column: "inbox_id" | "account_id"): string | undefined {
  const { key, indexes } = tables[table] as {
    key: readonly string[];
    indexes: readonly (readonly string[])[];
  };
  const index = [key, ...indexes].find(([first, ...others]) => first === column && others.length > 0);
  return index?.[1] ?? (key.length === 1 && key[0] === column ? column : undefined);
}
