import type { AnyRecord } from "../../model/belonging.ts";
import { type TableName, tables } from "../../model/tables.ts";
import type { Storage, Value } from "../../ports/storage.ts";

/** An untyped reader, for code that iterates over all tables. */
export interface AnyReader {
  find(
    table: TableName,
    query: { where: AnyRecord; order?: { by: string; direction: "asc" | "desc" }; limit: number },
  ): Promise<AnyRecord[]>;
}

/** Small, because bodies can be large. */
export const BATCH_SIZE = 100;

/** Reads every record of a table in primary key order, in batches. */
export function scanTable(storage: Storage, table: TableName): AsyncGenerator<AnyRecord[]> {
  return scanGroup(storage, table, {}, 0);
}

/**
 * The records whose first key columns have the given values. Pages are ordered by one column; with a
 * composite key, the last value of a full page may have more records, which are read by the next column.
 */
export async function* scanGroup(
  reader: AnyReader,
  table: TableName,
  group: AnyRecord,
  depth: number,
): AsyncGenerator<AnyRecord[]> {
  const key = tables[table].key;
  const by = key[depth] as string;
  const order = { by, direction: "asc" } as const;
  let after: Value | undefined;
  for (;;) {
    const where = after === undefined ? group : { ...group, [by]: { gt: after } };
    const page = await reader.find(table, { where, order, limit: BATCH_SIZE });
    const last = page.at(-1)?.[by] as Value | undefined;
    const incomplete = page.length === BATCH_SIZE && depth < key.length - 1;
    const whole = incomplete ? page.filter((record) => record[by] !== last) : page;
    if (whole.length > 0) yield whole;
    if (incomplete) yield* scanGroup(reader, table, { ...group, [by]: last }, depth + 1);
    if (page.length < BATCH_SIZE || last === undefined) return;
    after = last;
  }
}
