import type { AnyTables, Row, SqlDialect } from "@letterslot/sql";
import {
  DummyDriver,
  Kysely,
  type SqlBool,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from "kysely";

/** Columns of text or JSON that may be long. */
const LONG_TEXTS: ReadonlySet<string> = new Set(["text", "html", "extracted_text", "extracted_html", "data"]);
/**
 * The length from which text is read as bytes: the driver decodes non-ASCII text two to five times as slowly as a
 * Buffer does, and ASCII or shorter text a microsecond faster.
 */
const LONG_BYTES = 1_000;

/** SQLite stores booleans as 0 and 1, and JSON as text. */
export const sqliteDialect: SqlDialect = {
  builder: new Kysely<AnyTables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
  encode: { boolean: encodeBoolean, json: (value) => JSON.stringify(value) },
  decode: { boolean: (value) => value === 1, json: (value) => JSON.parse(value as string) as unknown },
  selected: ({ name, type }) =>
    (type === "text" || type === "json") && LONG_TEXTS.has(name)
      ? sql`iif(octet_length(${sql.ref(name)}) > ${sql.lit(LONG_BYTES)}, cast(${sql.ref(name)} as blob), ${sql.ref(name)})`
      : undefined,
  skips_locked: false,
  // For rows to return, SQLite makes a table in memory.
  counts_inserts: true,
  merges_lists: true,
  // SQLite replans a query whenever a bare LIMIT parameter changes, which costs five times the query itself.
  limit: (parameter) => sql<number>`${parameter} + 0`,
  oneOf: (column, values) => sql<SqlBool>`${column} in (select "value" from json_each(${values}))`,
  encodeList: (values) => JSON.stringify(values),
  contains: (column, value) =>
    sql<SqlBool>`exists (select 1 from json_each(${column}) where "value" = ${value})`,
  encodeElement: encodeBoolean,
};

/** Decodes the columns of a row that were read as bytes because they are long. */
export function decodeLongTexts(row: Row, columns: readonly string[]): Row {
  for (const name of columns) {
    const value = row[name];
    if (Buffer.isBuffer(value)) row[name] = value.toString("utf8");
  }
  return row;
}

/** The columns of a result that may hold long text. */
export const longTextsAmong = (columns: readonly string[]): string[] =>
  columns.filter((name) => LONG_TEXTS.has(name));

function encodeBoolean(value: unknown): unknown {
  return typeof value === "boolean" ? Number(value) : value;
}
