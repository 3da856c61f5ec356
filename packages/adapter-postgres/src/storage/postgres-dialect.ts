import type { AnyTables, SqlDialect } from "@letterslot/sql";
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type SqlBool,
  sql,
} from "kysely";

/** The tables of a schema. JSON is stored as `json` and not `jsonb`, which doesn't keep the order of keys. */
export function createPostgresDialect(schema: string): SqlDialect {
  const builder = new Kysely<AnyTables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  return {
    builder: builder.withSchema(schema),
    encode: { text: encodeText, json: encodeJson },
    decode: {
      integer: Number,
      json: (value) => (typeof value === "string" ? (JSON.parse(value) as unknown) : value),
    },
    skips_locked: true,
    limit: (parameter) => parameter,
    oneOf: (column, values) => sql<SqlBool>`${column} = any(${values})`,
    encodeList: (values) => values,
    typed: (parameter, { type }, list) =>
      sql`${parameter}::${sql.raw(`${type === "integer" ? "bigint" : type}${list ? "[]" : ""}`)}`,
    contains: (column, value) => sql<SqlBool>`${column}::jsonb @> ${value}::jsonb`,
    rowAsJson: (table) => sql`to_json(${table})`,
    encodeElement: (value) => encodeJson([value]),
  };
}

/** PostgreSQL stores every character except NUL. */
function encodeText(value: unknown): unknown {
  return typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "") : value;
}

/** Escapes that `jsonb` can't read: NUL and lone surrogates. */
const UNREADABLE = /\\u(?:0000|d[89a-f])/;

function encodeJson(value: unknown): string {
  const text = JSON.stringify(value);
  return UNREADABLE.test(text) ? JSON.stringify(value, cleanKeys) : text;
}

function cleanKeys(_: string, value: unknown): unknown {
  if (typeof value === "string") return clean(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [clean(key), member]));
}

function clean(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
