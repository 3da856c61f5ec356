import { type Column, tables } from "@letterslot/core";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { encoderOf, parameter } from "./parameters.ts";
import type { Row, SqlDialect } from "./sql-dialect.ts";
import { columnOf, type TableShape } from "./table-shape.ts";

/** Lists of up to this many values have a parameter for each; longer ones are one parameter. */
const MAX_LISTED = 8;

/** The lists of a `where` whose values are looked up one by one in an index. */
export interface ListLookUps {
  /** The conditions with each value of a list once; and those of them that aren't lists. */
  where: Row;
  rest: Row;
  lists: { name: string; size: number | "many" }[];
}

/**
 * The lists of a `where`, if an index begins with their columns and others that are equal to something: then
 * each value's rows stand together in it. Undefined when there is none, or none that is longer than one value.
 */
export function listLookUps(shape: TableShape, where: Row): ListLookUps | undefined {
  const distinct = Object.entries(where).flatMap(([name, condition]) => {
    const list = (condition as { in?: unknown } | null)?.in;
    return Array.isArray(list) ? [{ name, list: [...new Set<unknown>(list)] }] : [];
  });
  const several = distinct.filter(({ list }) => list.length > 1);
  if (several.length === 0) return undefined;
  const names = several.map(({ name }) => name);
  const { key, unique, indexes } = tables[shape.table];
  if (![key, ...unique, ...indexes].some((columns) => serves(columns, where, names))) return undefined;
  return {
    where: { ...where, ...Object.fromEntries(several.map(({ name, list }) => [name, { in: list }])) },
    rest: Object.fromEntries(Object.entries(where).filter(([name]) => !names.includes(name))),
    lists: several.map(({ name, list }) => ({ name, size: sizeOf(list.length) })),
  };
}

/** A cache key for what of the lists changes a statement's text. */
export const listsKey = ({ lists }: ListLookUps): string =>
  lists.map(({ name, size }) => `${name} each ${size},`).join("");

/** The values that are wanted, as tables to join; the conditions on the rows of each. */
export function listSql(dialect: SqlDialect, shape: TableShape, { lists }: ListLookUps) {
  const wanted = lists.map(({ name, size }, index) => {
    const column = columnOf(shape, name);
    return sql`${valuesSql(dialect, column, size)} as ${sql.table(`wanted_${index}`)} ("value")`;
  });
  const conditions = lists.map(
    ({ name }, index) => sql<SqlBool>`${sql.ref(name)} = ${sql.ref(`wanted_${index}.value`)}`,
  );
  return {
    wanted: sql.join(wanted, sql` cross join `),
    conditions: sql<SqlBool>`${sql.join(conditions, sql` and `)}`,
  };
}

function valuesSql(
  dialect: SqlDialect,
  column: Column,
  size: ListLookUps["lists"][number]["size"],
): RawBuilder<unknown> {
  const { name, type } = column;
  const encode = encoderOf(dialect, type);
  const typed = dialect.typed as NonNullable<SqlDialect["typed"]>;
  const listOf = (where: Row) => (where[name] as { in: unknown[] }).in;
  if (size === "many")
    return sql`unnest(${typed(
      parameter(({ where }) => dialect.encodeList(listOf(where).map(encode))),
      column,
      true,
    )})`;
  const rows = Array.from({ length: size }, (_, index) => {
    // What is missing is null, which equals nothing.
    const value = parameter(({ where }) => encode(listOf(where)[index] ?? null));
    return sql`(${typed(value, column, false)})`;
  });
  return sql`(values ${sql.join(rows)})`;
}

/** So that lists of any length make few statements, their sizes are powers of two. */
function sizeOf(length: number): number | "many" {
  return length > MAX_LISTED ? "many" : 2 ** Math.ceil(Math.log2(length));
}

/** Whether an index's first columns, all equal to something, include these. */
function serves(columns: readonly string[], where: Row, names: readonly string[]): boolean {
  const end = columns.findIndex((column) => !isEquality(where[column]));
  const equal = new Set(end === -1 ? columns : columns.slice(0, end));
  return names.every((name) => equal.has(name));
}

function isEquality(condition: unknown): boolean {
  if (condition === undefined || condition === null) return false;
  return typeof condition !== "object" || "in" in condition;
}
