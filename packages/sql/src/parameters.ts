import type { Column } from "@letterslot/core";
import { type RawBuilder, sql } from "kysely";
import type { Row, SqlDialect } from "./sql-dialect.ts";

/** What a statement's parameters are read from. */
export interface Call {
  where: Row;
  record: Row;
  limit: number;
}

/** Stands for a parameter while a statement is compiled, and says how to read its value from a call. */
export interface Slot {
  read(call: Call): unknown;
}

/** How a dialect takes values of a type; null goes in as it is. */
export function encoderOf(dialect: SqlDialect, type: Column["type"]): (value: unknown) => unknown {
  const encode = dialect.encode[type];
  if (encode === undefined) return (value) => value;
  return (value) => (value === null ? null : encode(value));
}

/** A parameter by how its value is read from a call. */
export function parameter<T = unknown>(read: (call: Call) => unknown): RawBuilder<T> {
  return sql<T>`${sql.val({ read } satisfies Slot)}`;
}
