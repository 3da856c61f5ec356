import { columnsOf, type TableName } from "@letterslot/core/ports";
import type { AskedStatement, Row, SqlStatement } from "@letterslot/sql";
import type { Answer, Statement } from "../connections/database.ts";
import { quoteName } from "../schema.ts";
import type { ElementType } from "./array-parameter.ts";
import { unnestSql } from "./record-columns.ts";

/** A statement that does the work of several. */
export interface MergedStatement {
  statement: Statement;
  /** The numbers of the statements that were asked in it, and the rows of each, in the same order. */
  asked: readonly number[];
  rowsOf(answer: Answer): Row[][];
}

/** The rows of each statement that was asked. */
export async function rowsOf(
  merged: readonly MergedStatement[],
  sent: readonly Promise<Answer>[],
): Promise<Row[][]> {
  const answers = await Promise.all(sent);
  const rows: Row[][] = [];
  for (const [index, each] of merged.entries()) {
    const found = each.rowsOf(answers[index] as Answer);
    for (const [place, number] of each.asked.entries()) rows[number] = found[place] ?? [];
  }
  return rows;
}

const COLUMN_TYPES = { text: "text", integer: "bigint", boolean: "boolean", json: "json" } as const;

/** Returns a statement unmerged. */
export function alone({ statement, limit }: AskedStatement, number: number): MergedStatement {
  const { sql, parameters } = statement;
  return {
    statement: limit === undefined ? { sql, parameters } : { sql, parameters, max_rows: limit },
    asked: [number],
    rowsOf: ({ rows }) => [rows],
  };
}

/** Inserts of any number of records, with one array parameter per column; built once for each table. */
export type AppendManySql = (table: TableName) => { sql: string; types: readonly ElementType[] };

/** The inserts into the tables of a schema. */
export function createAppendManySql(schema: string): AppendManySql {
  const built = new Map<TableName, ReturnType<AppendManySql>>();
  return (table) => {
    const known = built.get(table);
    if (known !== undefined) return known;
    const columns = columnsOf(table);
    const types = columns.map(({ type }) => COLUMN_TYPES[type]);
    const names = columns.map(({ name }) => `"${name}"`).join(", ");
    const sql = `insert into ${quoteName(schema)}."${table}" (${names}) select * from ${unnestSql(types)}`;
    built.set(table, { sql, types });
    return { sql, types };
  };
}

/** The texts of statements, with their parameters numbered consecutively. */
export function numberedTexts(parts: readonly SqlStatement[]): string[] {
  let before = 0;
  return parts.map(({ sql, parameters }) => {
    const shift = before;
    before += parameters.length;
    return sql.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + shift}`);
  });
}
