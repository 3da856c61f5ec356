import { type TableName, tables } from "../model/tables.ts";
import type { Storage, Value } from "../ports/storage.ts";

/** A record of any table. */
export type AnyRecord = Record<string, unknown>;

/** The verbs without their tables' types, for code that goes over all tables. */
export interface AnyReader {
  find(
    table: TableName,
    query: { where: AnyRecord; order?: { by: string; direction: "asc" | "desc" }; limit: number },
  ): Promise<AnyRecord[]>;
}

/** Records read at a time: bodies can be large. */
export const batchRecords = 100;

/** Every record of a table in the order of its primary key, in batches: each costs what it holds. */
export function scanTable(storage: Storage, table: TableName): AsyncGenerator<AnyRecord[]> {
  return scanGroup(storage, table, {}, 0);
}

/**
 * The records whose first key columns have the given values. Pages are in order of one column, so where a key
 * has several, the last value of a full page may have more records than are on it: those are read by the next
 * column.
 */
async function* scanGroup(
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
    const page = await reader.find(table, { where, order, limit: batchRecords });
    const last = page.at(-1)?.[by] as Value | undefined;
    const cut = page.length === batchRecords && depth < key.length - 1;
    const whole = cut ? page.filter((record) => record[by] !== last) : page;
    if (whole.length > 0) yield whole;
    if (cut) yield* scanGroup(reader, table, { ...group, [by]: last }, depth + 1);
    if (page.length < batchRecords || last === undefined) return;
    after = last;
  }
}
