import { columnsOf, type TableName, tables } from "@letterslot/core";
import type { Combine } from "@letterslot/sql";
import { columnsAs } from "./record-columns.ts";
import type { AppendManySql } from "./statement-parts.ts";

/** Makes one statement of several that add to a column: of each record it writes the sum once. */
export function combineSums(appendManySql: AppendManySql, table: TableName, column: string): Combine {
  const { sql, types } = appendManySql(table);
  const key: readonly string[] = tables[table].key;
  const names = columnsOf(table).map(({ name }) => name);
  const keyPlaces = key.map((name) => names.indexOf(name));
  const added = names.indexOf(column);
  const sumSql =
    `${sql} on conflict (${key.map((name) => `"${name}"`).join(", ")})` +
    ` do update set "${column}" = "${table}"."${column}" + excluded."${column}"`;
  return (rows) => {
    const sums = new Map<string, unknown[]>();
    for (const row of rows) {
      const id = JSON.stringify(keyPlaces.map((at) => row[at]));
      const sum = sums.get(id);
      if (sum === undefined) sums.set(id, [...row]);
      else sum[added] = Number(sum[added]) + Number(row[added]);
    }
    // In the order of their keys: two that write the same rows don't wait for each other.
    const sorted = [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return {
      sql: sumSql,
      parameters: columnsAs(
        types,
        sorted.map(([, row]) => row),
      ),
    };
  };
}
