import type { TableName } from "@letterslot/core";
import { type Access, keysOf, type SqlStatement } from "@letterslot/sql";

/** Counts the commits that changed each table. */
export interface TableVersions {
  /** Counts a commit that changed these tables, or perhaps any. */
  committed(changed: ChangedTables): void;
  /** A number that grows with each commit that changed one of the tables. */
  of(tables: readonly TableName[]): number;
}

/** The tables that a batch changes, or tried to. */
export interface ChangedTables {
  /** Notes what a statement changes. */
  note(statement: SqlStatement): void;
  /** Notes a change of one table. */
  noteTable(table: TableName): void;
  /** Notes that anything may have changed. */
  noteAny(): void;
  /** Whether a statement may read what was changed. */
  matterTo(statement: Pick<SqlStatement, "access">): boolean;
  tables(): Iterable<TableName>;
  any(): boolean;
}

/** The tables of a new batch: none yet. */
export function createChangedTables(): ChangedTables {
  /** Of each table the first key columns of the records that changed; undefined if it may be any of them. */
  const tables = new Map<TableName, Set<string> | undefined>();
  let any = false;
  const noteAny = () => {
    any = true;
  };
  const noteRecords = (access: Access) => {
    const { table } = access;
    const keys = keysOf(access);
    const before = tables.get(table);
    if (keys === undefined) tables.set(table, undefined);
    else if (before !== undefined) for (const key of keys) before.add(key);
    else if (!tables.has(table)) tables.set(table, new Set(keys));
  };
  return {
    note({ access }) {
      if (access === undefined) noteAny();
      else if (access.does !== "reads") noteRecords(access);
    },
    noteTable: (table) => void tables.set(table, undefined),
    noteAny,
    matterTo({ access }) {
      if (any || access === undefined) return true;
      if (!tables.has(access.table)) return false;
      const changed = tables.get(access.table);
      const keys = changed && keysOf(access);
      return changed === undefined || keys === undefined || keys.some((key) => changed.has(key));
    },
    tables: () => tables.keys(),
    any: () => any,
  };
}

/** Counts commits from 0. */
export function createTableVersions(): TableVersions {
  const counts = new Map<TableName, number>();
  let of_any = 0;
  return {
    committed({ tables, any }) {
      if (any()) of_any++;
      for (const table of tables()) counts.set(table, (counts.get(table) ?? 0) + 1);
    },
    of(tables) {
      let sum = of_any;
      for (const table of tables) sum += counts.get(table) ?? 0;
      return sum;
    },
  };
}
