import type { Value } from "../src/ports/storage.ts";
import { compareValues } from "./compare-values.ts";
import type { ReadCondition } from "./match-condition.ts";

/** One index entry: the values of its columns and the key of the record. */
interface Entry {
  values: Value[];
  key: string;
}

/** A list of record keys, sorted by some of their columns. */
export interface MemoryIndex {
  columns: readonly string[];
  unique: boolean;
  add(record: Record<string, unknown>, key: string): void;
  remove(record: Record<string, unknown>, key: string): void;
  /** The key of a record with the same values, if the index is unique and no value is null. */
  clash(record: Record<string, unknown>): string | undefined;
  /**
   * Keys in index order, of records whose first columns equal `prefix` and whose next column is in the range
   * of `next`.
   */
  scan(prefix: readonly Value[], next: ReadCondition, direction: "asc" | "desc"): Generator<string>;
}

/** Creates an empty index on columns of a table. */
export function createMemoryIndex(columns: readonly string[], unique: boolean): MemoryIndex {
  const entries: Entry[] = [];
  const valuesOf = (record: Record<string, unknown>) => columns.map((column) => record[column] as Value);

  /**
   * The position of the first entry that is not before the given values, or with `after` the first one after
   * them.
   */
  const seek = (values: readonly Value[], key: string | undefined, after: boolean) => {
    let low = 0;
    let high = entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const order = compareEntry(entries[middle] as Entry, values, key);
      if (order < 0 || (after && order === 0)) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  return {
    columns,
    unique,
    add(record, key) {
      const values = valuesOf(record);
      entries.splice(seek(values, key, false), 0, { values, key });
    },
    remove(record, key) {
      entries.splice(seek(valuesOf(record), key, false), 1);
    },
    clash(record) {
      if (!unique) return undefined;
      const values = valuesOf(record);
      if (values.includes(null)) return undefined;
      const found = entries[seek(values, undefined, false)];
      return found !== undefined && compareEntry(found, values, undefined) === 0 ? found.key : undefined;
    },
    *scan(prefix, next, direction) {
      const lower = next.gt ?? next.gte;
      const upper = next.lt ?? next.lte;
      const start =
        lower === undefined
          ? seek(prefix, undefined, false)
          : seek([...prefix, lower], undefined, next.gt !== undefined);
      const end =
        upper === undefined
          ? seek(prefix, undefined, true)
          : seek([...prefix, upper], undefined, next.lt === undefined);
      // A copy, so that records may change during iteration.
      const found = entries.slice(start, Math.max(start, end));
      if (direction === "desc") found.reverse();
      for (const entry of found) yield entry.key;
    },
  };
}

/** Compares by the given values, then by the key if one is given. */
function compareEntry(entry: Entry, values: readonly Value[], key: string | undefined): number {
  for (let index = 0; index < values.length; index++) {
    const order = compareValues(entry.values[index] as Value, values[index] as Value);
    if (order !== 0) return order;
  }
  return key === undefined ? 0 : compareValues(entry.key, key);
}
