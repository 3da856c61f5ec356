import type { TableName } from "@letterslot/core/ports";
import type { SqlStatement } from "@letterslot/sql";

/** Counts the commits that changed each table. */
export interface TableVersions {
  /** Counts a commit that changed these tables, or perhaps any. */
  committed(changed: ChangedTables): void;
  /** A number that grows with each commit that changed one of the tables. */
  of(tables: readonly TableName[]): number;
}

/** The tables that a batch changes, or tried to. */
export interface ChangedTables {
  /** Records the tables that a statement changes. */
  note(statement: SqlStatement): void;
  /** Notes that anything may have changed. */
  noteAny(): void;
  tables(): Iterable<TableName>;
  any(): boolean;
}

/** The tables of a new batch: none yet. */
export function createChangedTables(): ChangedTables {
  const tables = new Set<TableName>();
  let any = false;
  const noteAny = () => {
    any = true;
  };
  return {
    note({ access }) {
      if (access === undefined) noteAny();
      else if (access.does !== "reads") tables.add(access.table);
    },
    noteAny,
    tables: () => tables,
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
