import { columnsOf, type TableName } from "@letterslot/core";
import type { BufferedWrite, SqlStatement } from "@letterslot/sql";
import type { Statement } from "./database.ts";
import { quoteName } from "./schema.ts";
import type { SearchStatements } from "./search-index.ts";

/** Merges buffered writes into one statement; with inserts, it returns the number of each that inserted. */
export type BatchWrites = (writes: readonly BufferedWrite[], inserts?: readonly SqlStatement[]) => Statement;

const COLUMN_TYPES = { text: "text", integer: "bigint", boolean: "boolean", json: "json" } as const;

/** Up to this many statements beside core's tables are common in one batch: a mail and a few attachments. */
const COMMON_OTHERS = 4;
/** A mail is one insert, and one for each of its signatures that is remembered. */
const COMMON_INSERTS = 6;

/**
 * Merges writes because a statement costs client and server more than its rows do. Records of a table become
 * one insert, and the inserts parts of one `with`. Such a statement fails when it writes a row twice, so
 * later index changes of a message replace earlier ones, and one statement runs for all of its key.
 */
export function createBatchWrites(schema: string, search: SearchStatements): BatchWrites {
  const merged = new Map<string, string>();
  const appendSql = new Map<TableName, string>();

  const appendAll = (table: TableName, appends: readonly SqlStatement[]): SqlStatement => {
    const [first] = appends;
    if (first !== undefined && appends.length === 1) return first;
    const sql = appendSql.get(table) ?? appendManySql(schema, table);
    appendSql.set(table, sql);
    const columns =
      first?.parameters.map((_, column) => appends.map(({ parameters }) => parameters[column])) ?? [];
    return { sql, parameters: columns };
  };

  return (writes, inserts = []) => {
    const appends = new Map<TableName, SqlStatement[]>();
    const indexed = new Map<string, SqlStatement>();
    const others = new Map<string, SqlStatement>();
    for (const write of writes) {
      if ("append" in write) appends.set(write.table, [...(appends.get(write.table) ?? []), write.append]);
      else if ("statement" in write) others.set(write.key, write.statement);
      else if ("index" in write) indexed.set(write.index.message_id, search.index(write.index));
      else indexed.set(write.unindex, search.unindex(write.unindex));
    }
    const parts = [
      ...inserts,
      ...[...appends].map(([table, each]) => appendAll(table, each)),
      ...others.values(),
      ...indexed.values(),
    ];
    const key = `${inserts.length} ${parts.map(({ sql }) => sql).join("; ")}`;
    const sql = merged.get(key) ?? mergeSql(parts, inserts.length);
    const statement = { sql, parameters: parts.flatMap(({ parameters }) => parameters) };
    // Shapes with many messages or attachments rarely come back, so they aren't worth preparing.
    const common = indexed.size <= 1 && others.size <= COMMON_OTHERS && inserts.length <= COMMON_INSERTS;
    if (!common) return { ...statement, unprepared: true };
    merged.set(key, sql);
    return statement;
  };
}

/** An insert of any number of records, with one array parameter per column. */
function appendManySql(schema: string, table: TableName): string {
  const columns = columnsOf(table);
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${COLUMN_TYPES[type]}[]`).join(", ");
  return `insert into ${quoteName(schema)}."${table}" (${names}) select * from unnest(${arrays})`;
}

/** Merges statements into one, numbering their parameters consecutively. The first ones may be inserts. */
function mergeSql(parts: readonly SqlStatement[], inserts: number): string {
  let before = 0;
  const texts = parts.map(({ sql, parameters }) => {
    const shift = before;
    before += parameters.length;
    return sql.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + shift}`);
  });
  const last = inserts === 0 ? (texts.pop() ?? "") : insertedSql(inserts);
  if (texts.length === 0) return last;
  return `with ${texts.map((text, index) => `"part_${index}" as (${text})`).join(", ")} ${last}`;
}

/** The numbers of the parts that returned a row, as an insert does if it inserted. */
function insertedSql(inserts: number): string {
  return Array.from(
    { length: inserts },
    (_, index) => `select ${index} as "inserted" from "part_${index}"`,
  ).join(" union all ");
}
