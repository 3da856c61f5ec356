import { type Column, columnsOf, type TableName, tables } from "@letterslot/core/ports";
import type { Row, SqlStatement } from "./sql-dialect.ts";

/** A database's layout of core's tables. */
export interface TableLayout {
  /** The type of a column in `create table`. Text must sort by its bytes. */
  types: Record<Column["type"], string>;
  /** Returns the options that follow the columns, such as `strict`. */
  options?(table: TableName): string;
  /** Columns with a lower rank come first; by default they keep the record's order. */
  rank?(column: Column): number;
}

/** A change to the schema. Once released it is frozen: a further change is a new migration. */
export interface Migration {
  name: string;
  /** Empty when the migration changes data alone. */
  sql: string;
  /** Changes stored data once the tables are up to date, in the same transaction. */
  data?: () => DataSteps;
}

/** Statements in order; each `yield` answers the rows of a `select`, and none for other statements. */
export type DataSteps = Generator<SqlStatement, void, Row[]>;

/** The schema of an adapter, and how older databases get there. */
export interface Schema {
  /** The name of version 1, whose tables the migrations start from. */
  first: string;
  /** Versions 2, 3, … in order. */
  migrations: readonly Migration[];
  /** The statements that create the newest schema in an empty database. */
  create(): string[];
}

/**
 * The steps that bring a database up to date: statements to run, then changes of its data, then versions to record in
 * its migrations table.
 */
export interface PendingMigrations {
  statements: string[];
  data: (() => DataSteps)[];
  versions: { version: number; name: string }[];
}

/**
 * The statements that create every table and index of core's `tables`. Indexes leave out nulls, which no
 * query looks up.
 */
export function createTableStatements({ types, options, rank = () => 0 }: TableLayout): string[] {
  return (Object.keys(tables) as TableName[]).flatMap((name) => {
    const { key, unique, indexes } = tables[name];
    const columns = columnsOf(name).toSorted((a, b) => rank(a) - rank(b));
    const lines = columns.map(
      ({ name: column, type, nullable }) => `  "${column}" ${types[type]}${nullable ? "" : " not null"}`,
    );
    return [
      `create table "${name}" (\n${[...lines, `  primary key (${list(key)})`].join(",\n")}\n) ${options?.(name) ?? ""}`,
      ...unique.map((indexed) => createIndex(name, "unique index", indexed)),
      ...indexes.map((indexed) => createIndex(name, "index", indexed)),
    ];
  });
}

/** The newest version of a schema. */
export function latestVersion({ migrations }: Schema): number {
  return 1 + migrations.length;
}

/**
 * Returns the steps that bring a database of this version (0: empty) up to date. An empty database gets the newest
 * schema at once; its migrations are only recorded. Throws for a database made by a newer program.
 */
export function pendingMigrations(schema: Schema, version: number): PendingMigrations {
  const latest = latestVersion(schema);
  if (version > latest)
    throw new Error(
      `the database has schema version ${version}, but this program knows versions up to ${latest}: run the newer program again, or restore a backup from before it ran`,
    );
  const versions = [schema.first, ...schema.migrations.map(({ name }) => name)]
    .map((name, index) => ({ version: index + 1, name }))
    .slice(version);
  if (version === 0) return { statements: schema.create(), data: [], versions };
  const pending = schema.migrations.slice(version - 1);
  return {
    statements: pending.map(({ sql }) => sql).filter((sql) => sql !== ""),
    data: pending.flatMap(({ data }) => data ?? []),
    versions,
  };
}

function createIndex(table: TableName, kind: string, columns: readonly string[]): string {
  const nullable = columnsOf(table).filter((column) => column.nullable && columns.includes(column.name));
  const where = nullable.map((column) => `"${column.name}" is not null`).join(" and ");
  return `create ${kind} "${table}_${columns.join("_")}" on "${table}" (${list(columns)})${where === "" ? "" : ` where ${where}`}`;
}

function list(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(", ");
}
