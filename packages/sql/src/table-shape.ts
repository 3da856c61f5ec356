import { type Column, columnsOf, type TableName, tables } from "@letterslot/core/ports";
import type { AliasedRawBuilder } from "kysely";
import { encoderOf } from "./parameters.ts";
import type { SqlDialect } from "./sql-dialect.ts";

/** The facts about a table that statements need. */
export interface TableShape {
  table: TableName;
  columns: Column[];
  /** All columns, as they are read. */
  selected: (string | AliasedRawBuilder<unknown, string>)[];
  keyColumn: string;
  byName: Map<string, Column>;
  decoders: [string, (value: unknown) => unknown][];
  /** The encoders of the columns' values, in the order of the columns. */
  encoders: [string, (value: unknown) => unknown][];
}

/** The shape of one of core's tables. */
export function shapeOfTable(dialect: SqlDialect, table: TableName): TableShape {
  const columns = columnsOf(table);
  const decoders = columns.flatMap(({ name, type }): TableShape["decoders"] => {
    const decode = dialect.decode[type];
    return decode === undefined ? [] : [[name, decode]];
  });
  return {
    table,
    columns,
    selected: columns.map((column) => dialect.selected?.(column)?.as(column.name) ?? column.name),
    keyColumn: tables[table].key[0] as string,
    byName: new Map(columns.map((column) => [column.name, column])),
    decoders,
    encoders: columns.map(({ name, type }) => [name, encoderOf(dialect, type)]),
  };
}

/** The column of that name; throws when the table has none. */
export function columnOf(shape: TableShape, name: string): Column {
  const column = shape.byName.get(name);
  if (column === undefined) throw new Error(`${shape.table} has no column ${name}`);
  return column;
}
