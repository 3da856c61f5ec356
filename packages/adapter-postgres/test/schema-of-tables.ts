import { type Column, columnsOf, type TableName, tables } from "@letterslot/core";

/**
 * Rows that are changed again and again in columns without an index: room on their page keeps the indexes out
 * of it.
 */
const busy = new Set<TableName>(["accounts", "counters", "slots", "jobs", "messages", "threads"]);

/** Text is ordered by its bytes, whatever language the database was made for. */
const types = { text: 'text collate "C"', integer: "bigint", boolean: "boolean", json: "json" } as const;

/**
 * The statements that make every table and index of core's `tables.ts`, as they should be: what the
 * migrations come to is compared with it, and the next migration can be written from it. Indexes leave out
 * nulls, which no query looks up.
 */
export function schemaOfTables(): string[] {
  return (Object.keys(tables) as TableName[]).flatMap((name) => {
    const { key, unique, indexes } = tables[name];
    const lines = columnsOf(name).map(
      ({ name: column, type, nullable }) => `  "${column}" ${types[type]}${nullable ? "" : " not null"}`,
    );
    const options = busy.has(name) ? " with (fillfactor = 80)" : "";
    return [
      `create table "${name}" (\n${[...lines, `  primary key (${list(key)})`].join(",\n")}\n)${options}`,
      ...unique.map((indexed) => indexOf(name, "unique index", indexed)),
      ...indexes.map((indexed) => indexOf(name, "index", indexed)),
    ];
  });
}

function indexOf(name: TableName, kind: string, indexed: readonly string[]): string {
  const nullable = columnsOf(name).filter(
    (column: Column) => column.nullable && indexed.includes(column.name),
  );
  const where = nullable.map((column) => `"${column.name}" is not null`).join(" and ");
  return `create ${kind} "${name}_${indexed.join("_")}" on "${name}" (${list(indexed)})${where === "" ? "" : ` where ${where}`}`;
}

function list(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(", ");
}

// Run by itself, it prints the tables as core has them now, to write a migration from.
if (import.meta.main) console.log(`${schemaOfTables().join(";\n\n")};`);
