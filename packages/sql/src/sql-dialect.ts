import type { Column, TableName } from "@letterslot/core/ports";
import type { Kysely, RawBuilder, SqlBool } from "kysely";

/** Any table: names and values are checked by the verbs, not by Kysely's types. */
export type AnyTables = Record<string, Record<string, unknown>>;

/** A row as the driver returns it. */
export type Row = Record<string, unknown>;

/** The differences between databases in the statements of the storage verbs. */
export interface SqlDialect {
  /** Builds and compiles queries, with the database's schema or table prefix; it never runs one. */
  builder: Kysely<AnyTables>;
  /** Converts a value of a column type for the driver, where the driver doesn't take it. Never gets null. */
  encode: Partial<Record<Column["type"], (value: unknown) => unknown>>;
  /** Converts the driver's value of a column type back. Never gets null. */
  decode: Partial<Record<Column["type"], (value: unknown) => unknown>>;
  /** Returns the expression that reads a column, where its name alone isn't enough. */
  selected?(column: Column): RawBuilder<unknown> | undefined;
  /** Whether the database has `for update skip locked`; one with a single writer doesn't need it. */
  skips_locked: boolean;
  /** Whether the number of affected rows shows if a record was inserted. Otherwise the insert returns a row. */
  counts_inserts?: boolean;
  /** The limit of a page, as an expression around its parameter. */
  limit(parameter: RawBuilder<number>): RawBuilder<number>;
  /** `column in (values)`, with all values in one parameter, so that one statement serves any number. */
  oneOf(column: RawBuilder<unknown>, values: RawBuilder<unknown>): RawBuilder<SqlBool>;
  /** Encodes the parameter of `oneOf`. */
  encodeList(values: readonly unknown[]): unknown;
  /**
   * Gives the parameter with a column's value, or with a list of them, its type. If present, lists are looked up value
   * by value if an index serves that; they are joined laterally.
   */
  typed?(parameter: RawBuilder<unknown>, column: Column, list: boolean): RawBuilder<unknown>;
  /**
   * Whether an ordered page of records with one of a few values is merged from the pages of each value. For databases
   * whose planner would sort all of these records, and without lateral joins.
   */
  merges_lists?: boolean;
  /** Whether the JSON array in the column contains the value. */
  contains(column: RawBuilder<unknown>, value: RawBuilder<unknown>): RawBuilder<SqlBool>;
  /**
   * Returns a row of a joined table as JSON, null if there is none. If present, records that refer to each other are
   * read in one statement.
   */
  rowAsJson?(table: RawBuilder<unknown>): RawBuilder<unknown>;
  /** Encodes the parameter of `contains`. */
  encodeElement(value: unknown): unknown;
}

/** A statement ready to run. Equal shapes have the same text, so drivers can keep it prepared. */
export interface SqlStatement {
  sql: string;
  parameters: unknown[];
  /** Its access to a table of core, if it uses only one. */
  access?: Access;
}

/** A statement reads records of a table, inserts one unless its keys are taken, or changes records. */
export interface Access {
  table: TableName;
  does: "reads" | "inserts" | "changes";
  /** The conditions on what it reads or changes, or the record that it inserts; absent if unknown. */
  where?: Row;
  /** The new values of changed columns. */
  change?: Row;
}
