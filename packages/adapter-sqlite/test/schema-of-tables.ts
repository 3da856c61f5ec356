import { type Column, columnsOf, type TableName, tables } from "@letterslot/core";

/** Narrow tables whose rows are found by their whole key: they are one tree instead of two. */
const clustered = new Set<TableName>([
  "addresses",
  "allowlist",
  "blob_uses",
  "counters",
  "jobs",
  "message_references",
  "message_terms",
  "metric_counts",
  "slots",
  "update_threads",
]);

/** Columns that can be long: they stand last, so that reading the others doesn't walk through them. */
const long = new Set([
  "text",
  "html",
  "extracted_text",
  "extracted_html",
  "response_excerpt",
  "sealed_headers",
]);

const types = { text: "text", integer: "integer", boolean: "integer", json: "text" } as const;

/**
 * The statements that make every table and index of core's `tables.ts`, as they should be: what the
 * migrations come to is compared with it, and the next migration can be written from it. Indexes leave out
 * nulls, which no query looks up.
 */
export function schemaOfTables(): string[] {
  return (Object.keys(tables) as TableName[]).flatMap((name) => {
    const { key, unique, indexes } = tables[name];
    const columns = columnsOf(name).toSorted((a, b) => lengthOf(a) - lengthOf(b));
    const lines = columns.map(
      ({ name: column, type, nullable }) => `  "${column}" ${types[type]}${nullable ? "" : " not null"}`,
    );
    const options = clustered.has(name) ? "strict, without rowid" : "strict";
    return [
      `create table "${name}" (\n${[...lines, `  primary key (${list(key)})`].join(",\n")}\n) ${options}`,
      ...unique.map((indexed) => indexOf(name, "unique index", indexed)),
      ...indexes.map((indexed) => indexOf(name, "index", indexed)),
    ];
  });
}

function lengthOf({ name, type }: Column): number {
  if (long.has(name)) return 2;
  return type === "json" ? 1 : 0;
}

function indexOf(name: TableName, kind: string, indexed: readonly string[]): string {
  const nullable = columnsOf(name).filter((column) => column.nullable && indexed.includes(column.name));
  const where = nullable.map((column) => `"${column.name}" is not null`).join(" and ");
  return `create ${kind} "${name}_${indexed.join("_")}" on "${name}" (${list(indexed)})${where === "" ? "" : ` where ${where}`}`;
}

function list(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(", ");
}

// Run by itself, it prints the tables as core has them now, to write a migration from.
if (import.meta.main) console.log(`${schemaOfTables().join(";\n\n")};`);
