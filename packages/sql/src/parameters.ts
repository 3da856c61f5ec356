import type { Column } from "@letterslot/core/ports";
import { type RawBuilder, sql } from "kysely";
import type { Row, SqlDialect } from "./sql-dialect.ts";

/** The arguments of a verb, from which a statement's parameters are read. */
export interface Call {
  where: Row;
  record: Row;
  limit: number;
}

/** Stands for a parameter in a compiled statement: it reads the value from a call. */
export interface Slot {
  read(call: Call): unknown;
}

/** Encodes values of a column type for a dialect; null stays null. */
export function encoderOf(dialect: SqlDialect, type: Column["type"]): (value: unknown) => unknown {
  const encode = dialect.encode[type];
  if (encode === undefined) return (value) => value;
  return (value) => (value === null ? null : encode(value));
}

/** A parameter whose value is read from each call. */
export function parameter<T = unknown>(read: (call: Call) => unknown): RawBuilder<T> {
  return sql<T>`${sql.val({ read } satisfies Slot)}`;
}
