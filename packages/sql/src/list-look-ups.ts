import { type Column, tables } from "@letterslot/core/ports";
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

/** The list of a few values of a `where`. */
export interface MergedList {
  /** The conditions with each value of the list once; and those without the list. */
  where: Row;
  rest: Row;
  name: string;
  size: number;
}

/**
 * Returns the lists of a `where`, if an index begins with their columns and others compared by equality: each value's
 * rows are then adjacent in it. Undefined without such an index, and if no list has more than one value.
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

/**
 * Returns the one list of a `where`, if a page in this order can be merged from the pages of each value: if an index
 * begins with exactly the columns compared by equality, including the list's, and continues with the order. Undefined
 * otherwise, and for a long list.
 */
export function mergedList(shape: TableShape, where: Row, by: string): MergedList | undefined {
  const lists = listLookUps(shape, where);
  const [list, ...others] = lists?.lists ?? [];
  if (lists === undefined || list === undefined || others.length > 0 || list.size === "many")
    return undefined;
  const { key, unique, indexes } = tables[shape.table];
  const equal = Object.keys(where).filter((column) => column !== by && isEquality(where[column]));
  const goesOn = (columns: readonly string[]) =>
    columns[equal.length] === by && columns.slice(0, equal.length).every((column) => equal.includes(column));
  if (![key, ...unique, ...indexes].some(goesOn)) return undefined;
  return { where: lists.where, rest: lists.rest, name: list.name, size: list.size };
}

/** A cache key for the properties of lists that change a statement's text. */
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
  if (size === "many")
    return sql`unnest(${typed(
      parameter(({ where }) => dialect.encodeList(listOf(where, name).map(encode))),
      column,
      true,
    )})`;
  const rows = listParameters(dialect, column, size).map((value) => sql`(${typed(value, column, false)})`);
  return sql`(values ${sql.join(rows)})`;
}

/** Returns the parameters of a list of a few values. Missing values are null, which equals nothing. */
export function listParameters(
  dialect: SqlDialect,
  { name, type }: Column,
  size: number,
): RawBuilder<unknown>[] {
  const encode = encoderOf(dialect, type);
  return Array.from({ length: size }, (_, index) =>
    parameter(({ where }) => {
      const value = listOf(where, name)[index] ?? null;
      return value === null ? null : encode(value);
    }),
  );
}

const listOf = (where: Row, name: string): unknown[] => (where[name] as { in: unknown[] }).in;

/** Sizes are powers of two, so that lists of any length need few statements. */
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
