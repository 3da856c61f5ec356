import type { AnyTables, SqlDialect } from "@letterslot/sql";
import {
  DummyDriver,
  Kysely,
  type SqlBool,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from "kysely";

/** The SQL that differs between databases. Booleans are 0 and 1, JSON is text. */
export const dialect: SqlDialect = {
  // Kysely only compiles queries; the storage runs them.
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
  skips_locked: false,
  merges_lists: true,
  limit: (parameter) => parameter,
  oneOf: (column, values) => sql<SqlBool>`${column} in (select "value" from json_each(${values}))`,
  encodeList: (values) => JSON.stringify(values),
  contains: (column, value) =>
    sql<SqlBool>`exists (select 1 from json_each(${column}) where "value" = ${value})`,
  encodeElement: encodeBoolean,
};

function encodeBoolean(value: unknown): unknown {
  return typeof value === "boolean" ? Number(value) : value;
}
