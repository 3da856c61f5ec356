import type { Column } from "@letterslot/core";
import type { Kysely, RawBuilder, SqlBool } from "kysely";

/** Any table: names and values are checked by the verbs, not by Kysely's types. */
export type AnyTables = Record<string, Record<string, unknown>>;

/** A row as the driver gives it. */
export type Row = Record<string, unknown>;

/** What differs between databases below the verbs. */
export interface SqlDialect {
  /**
   * Builds and compiles queries for the database (its schema or table prefix included); it is never asked to
   * run one.
   */
  builder: Kysely<AnyTables>;
  /** How values of a type go in, where the driver doesn't take them as they are. Never called with null. */
  encode: Partial<Record<Column["type"], (value: unknown) => unknown>>;
  /**
   * How values of a type come out, where the driver doesn't give them as they are. Never called with null.
   */
  decode: Partial<Record<Column["type"], (value: unknown) => unknown>>;
  /** Whether it knows `for update skip locked`; a database with one writer at a time needs none. */
  skips_locked: boolean;
  /** The bound of a page, as an expression around its parameter. */
  limit(parameter: RawBuilder<number>): RawBuilder<number>;
  /**
   * `column is one of`, with all the values in one parameter, so that their number doesn't change the
   * statement.
   */
  oneOf(column: RawBuilder<unknown>, values: RawBuilder<unknown>): RawBuilder<SqlBool>;
  /** The one parameter of `oneOf`. */
  encodeList(values: readonly unknown[]): unknown;
  /** `the JSON array in the column contains`. */
  contains(column: RawBuilder<unknown>, value: RawBuilder<unknown>): RawBuilder<SqlBool>;
  /** The parameter of `contains`. */
  encodeElement(value: unknown): unknown;
}

/** A statement ready to run. The text of equal shapes is the same string, so drivers can keep it prepared. */
export interface SqlStatement {
  sql: string;
  parameters: unknown[];
}
