import type { Column } from "@letterslot/core/ports";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type Call, encoderOf, parameter } from "./parameters.ts";
import type { Row, SqlDialect } from "./sql-dialect.ts";
import { columnOf, type TableShape } from "./table-shape.ts";

const COMPARISONS = { lt: "<", lte: "<=", gt: ">", gte: ">=" } as const;

/** All in a condition that changes a statement's text: operators, nulls. */
export function conditionKey(column: string, condition: unknown): string {
  if (condition === undefined) throw new Error(`the condition on ${column} is undefined`);
  if (condition === null) return "is null";
  if (typeof condition !== "object") return "=";
  let key = "";
  for (const operator in condition) {
    const value = (condition as Row)[operator];
    if (value === undefined) throw new Error(`the condition on ${column} is undefined`);
    const one = operator === "in" && isOneValue(value) ? "in one" : operator;
    const part = value === null ? `${one} null` : one;
    key = key === "" ? part : `${key},${part}`;
  }
  if (key === "") throw new Error(`the condition on ${column} is empty`);
  return key;
}

/** The SQL of a `where`: its conditions, joined by `and`. */
export function whereSql(dialect: SqlDialect, shape: TableShape, where: Row): RawBuilder<SqlBool> {
  const conditions = Object.entries(where).flatMap(([name, condition]) => {
    const column = columnOf(shape, name);
    if (condition === null || typeof condition !== "object") return [equality(dialect, column, condition)];
    return Object.entries(condition).map(([operator, value]) => comparison(dialect, column, operator, value));
  });
  return conditions.length === 0 ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

function equality(dialect: SqlDialect, { name, type }: Column, value: unknown): RawBuilder<SqlBool> {
  if (value === null) return sql<SqlBool>`${sql.ref(name)} is null`;
  const encode = encoderOf(dialect, type);
  return sql<SqlBool>`${sql.ref(name)} = ${parameter(({ where }) => encode(where[name]))}`;
}

function comparison(
  dialect: SqlDialect,
  { name, type }: Column,
  operator: string,
  value: unknown,
): RawBuilder<SqlBool> {
  const column = sql.ref(name);
  const valueOf = ({ where }: Call) => (where[name] as Row)[operator];
  const encode = encoderOf(dialect, type);
  const encoded = parameter((call) => encode(valueOf(call)));

  switch (operator) {
    case "in":
      if (isOneValue(value))
        return sql<SqlBool>`${column} = ${parameter((call) => encode((valueOf(call) as unknown[])[0]))}`;
      return dialect.oneOf(
        column,
        parameter((call) => dialect.encodeList((valueOf(call) as unknown[]).map(encode))),
      );
    case "not":
      return value === null
        ? sql<SqlBool>`${column} is not null`
        : sql<SqlBool>`${column} is distinct from ${encoded}`;
    case "has":
      return dialect.contains(
        column,
        parameter((call) => dialect.encodeElement(valueOf(call))),
      );
    case "lt":
    case "lte":
    case "gt":
    case "gte":
      return sql<SqlBool>`${column} ${sql.raw(COMPARISONS[operator])} ${encoded}`;
    default:
      throw new Error(`the condition on ${name} has an unknown operator: ${operator}`);
  }
}

/**
 * Whether a list holds one value, perhaps several times. It is then looked up by equality, which every planner expects
 * to find few rows; for a list of unknown length PostgreSQL may prefer to scan another index.
 */
function isOneValue(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0 && list.every((value) => value === list[0]);
}

/**
 * A node in a tree of the shapes of calls. Each part of a call (table, column, operator …) leads to a child, so that a call is
 * looked up without a text of it. Nodes stay for ever: parts come from code, never from callers.
 */
export interface KnownShape<T> {
  value: T | undefined;
  next: Map<string, KnownShape<T>>;
}

/** An empty tree of shapes. */
export const createShapes = <T>(): KnownShape<T> => ({ value: undefined, next: new Map() });

/** The shape with one more part. */
export function withPart<T>(shape: KnownShape<T>, part: string): KnownShape<T> {
  const known = shape.next.get(part);
  if (known !== undefined) return known;
  const added = createShapes<T>();
  shape.next.set(part, added);
  return added;
}

/** Ends the conditions of a shape: no column has that name. */
const END = ",";

/** The shape with all in a `where` that changes a statement's text: columns, operators, nulls. */
export function withWhere<T>(shape: KnownShape<T>, where: Row): KnownShape<T> {
  let at = shape;
  for (const column in where) at = withPart(withPart(at, column), conditionKey(column, where[column]));
  return withPart(at, END);
}
