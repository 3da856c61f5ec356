import { columnsOf, type TableName } from "@letterslot/core";
import type { GatheredWrite, SqlStatement } from "@letterslot/sql";
import type { Statement } from "./database.ts";
import { identifier } from "./identifier.ts";
import type { SearchStatements } from "./search-index.ts";

const types = { text: "text", integer: "bigint", boolean: "boolean", json: "json" } as const;

/** Statements beside the tables' that go out together often: a mail and a few attachments. */
const COMMON_OTHERS = 4;

/**
 * Makes one statement of gathered writes, since each statement costs both sides more than its rows do: the
 * records of a table go in together, and the tables are parts of one `with`. What is indexed and taken out
 * again within them is not written, and one statement goes for all of its key: a `with` that writes a row
 * twice fails.
 */
export function createGatherer(
  schema: string,
  search: SearchStatements,
): (writes: readonly GatheredWrite[]) => Statement {
  const merged = new Map<string, string>();
  const manyTexts = new Map<TableName, string>();

  const appendAll = (table: TableName, appends: readonly SqlStatement[]): SqlStatement => {
    const [first] = appends;
    if (first !== undefined && appends.length === 1) return first;
    const text = manyTexts.get(table) ?? appendManyText(schema, table);
    manyTexts.set(table, text);
    const columns =
      first?.parameters.map((_, column) => appends.map(({ parameters }) => parameters[column])) ?? [];
    return { sql: text, parameters: columns };
  };

  return (writes) => {
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
      ...[...appends].map(([table, each]) => appendAll(table, each)),
      ...others.values(),
      ...indexed.values(),
    ];
    const key = parts.map(({ sql }) => sql).join("; ");
    const sql = merged.get(key) ?? mergedText(parts);
    const statement = { sql, parameters: parts.flatMap(({ parameters }) => parameters) };
    // How many messages are indexed and how many attachments are put at once is no shape that comes back
    // often.
    if (indexed.size > 1 || others.size > COMMON_OTHERS) return { ...statement, unprepared: true };
    merged.set(key, sql);
    return statement;
  };
}

/** An insert of any number of records, a column in each parameter. */
function appendManyText(schema: string, table: TableName): string {
  const columns = columnsOf(table);
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${types[type]}[]`).join(", ");
  return `insert into ${identifier(schema)}."${table}" (${names}) select * from unnest(${arrays})`;
}

/** Statements as one; their parameters follow each other. */
function mergedText(parts: readonly SqlStatement[]): string {
  let before = 0;
  const texts = parts.map(({ sql, parameters }) => {
    const shift = before;
    before += parameters.length;
    return sql.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + shift}`);
  });
  const last = texts.pop() ?? "";
  if (texts.length === 0) return last;
  return `with ${texts.map((text, index) => `"part_${index}" as (${text})`).join(", ")} ${last}`;
}
