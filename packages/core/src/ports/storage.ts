import type { RecordOf, TableName } from "../model/tables.ts";
import type { SearchDocument, SearchQuery } from "./search.ts";

/**
 * A value that a column can hold. Arrays and objects are stored as JSON; times are ISO 8601 UTC strings,
 * which sort chronologically.
 */
export type Value = string | number | boolean | null;

/**
 * A condition on a column: the value itself, or one of these. `has` tests whether a JSON array contains the
 * value.
 */
export type Condition<V> =
  | V
  | { in: readonly Exclude<V, null | undefined>[] }
  | { lt?: V; lte?: V; gt?: V; gte?: V }
  | { not: V }
  | (V extends readonly (infer E)[] ? { has: E } : never);

/**
 * Conditions on columns, combined with AND. There is no other grammar: anything else needs a side table or
 * the search words.
 */
export type Where<N extends TableName> = { [C in keyof RecordOf<N>]?: Condition<RecordOf<N>[C]> };

/**
 * A page of records: `order` names one column; the next page is a condition on that column (`{id: {lt:
 * cursor}}`).
 */
export interface Find<N extends TableName> {
  where: Where<N>;
  order?: { by: keyof RecordOf<N> & string; direction: "asc" | "desc" };
  limit: number;
  /**
   * Skips records that another writer is changing right now, if the storage can tell: for many workers that
   * look for the same work.
   */
  skip_locked?: boolean;
}

/** The changes of an update: values, or `{add: n}` on a number, which increments without reading. */
export type Change<N extends TableName> = {
  [C in keyof RecordOf<N>]?: RecordOf<N>[C] | (RecordOf<N>[C] extends number ? { add: number } : never);
};

/** A step from a record to the one whose primary key is in the named column. */
export type Step = readonly [column: string, table: TableName];

/** The records along a path, in order; undefined from the first missing one on. */
export type Followed<N extends TableName, S extends readonly Step[]> = [
  RecordOf<N> | undefined,
  ...{ [I in keyof S]: RecordOf<S[I][1]> | undefined },
];

/** The read operations, inside a transaction and outside. */
export interface StorageReader {
  /**
   * The record whose primary key is `id` (the first key column; use `find` for tables with longer keys), or
   * undefined.
   */
  get<N extends TableName>(table: N, id: string): Promise<RecordOf<N> | undefined>;
  /**
   * The record whose primary key is `id`, then the one that a column of it names, and so on, in one round trip if the
   * storage is remote. Each table has one key column.
   */
  follow<N extends TableName, const S extends readonly Step[]>(
    table: N,
    id: string,
    steps: S,
  ): Promise<Followed<N, S>>;
  /** The matching records in order, at most `limit`. The cost depends on the page, not the table. */
  find<N extends TableName>(table: N, query: Find<N>): Promise<RecordOf<N>[]>;
  /** The number of matching records, counted up to `up_to`. */
  count<N extends TableName>(table: N, where: Where<N>, up_to: number): Promise<number>;
  /** Ids of the messages that match, newest first. */
  search(query: SearchQuery): Promise<string[]>;
}

/** The write operations. Every promise holds under any number of concurrent writers. */
export interface StorageWriter extends StorageReader {
  /**
   * Inserts the record. On a conflict with the primary key or a unique index, it returns the existing record
   * and `inserted: false`; it never throws for a conflict.
   */
  insert<N extends TableName>(
    table: N,
    record: RecordOf<N>,
  ): Promise<{ record: RecordOf<N>; inserted: boolean }>;
  /**
   * Updates all matching records atomically and returns them as updated. `where` is the guard:
   * compare-and-set.
   */
  update<N extends TableName>(table: N, where: Where<N>, change: Change<N>): Promise<RecordOf<N>[]>;
  /** Deletes all matching records and returns their number. */
  delete<N extends TableName>(table: N, where: Where<N>): Promise<number>;
}

/** A transaction. Every operation throws after `run` has ended. */
export interface Transaction extends StorageWriter {
  /**
   * Inserts records with newly created keys. May be batched with the next read or the commit; a conflict
   * fails the whole transaction.
   */
  append<N extends TableName>(table: N, records: readonly RecordOf<N>[]): void;
  /** Adds messages to the search index, batched in the same way. */
  index(documents: readonly SearchDocument[]): void;
  /** Removes messages from the search index. */
  unindex(message_ids: readonly string[]): void;
}

/** Hints that a transaction declares in advance. */
export interface TransactionIntent {
  /**
   * A heavily contended record that `run` will change: such transactions may be serialised from the start.
   */
  changes?: { table: TableName; id: string };
  /**
   * The transaction is one of many that come at once, such as mails, and may share a commit with others of its kind.
   */
  shares_commit?: boolean;
  /**
   * Nothing that the transaction decides by is changed by others than transactions that declare the same `changes`, but for
   * what its own writes check: unique keys, and the conditions of updates. It may be kept apart from those alone.
   */
  reads_own?: boolean;
  /**
   * The transaction is part of a `bulkLoad` and durable once that has resolved. Until then a power failure may lose the
   * newest writes of the load, but a crash of the process doesn't.
   */
  part_of_load?: boolean;
}

/**
 * Stores records. A resolved write or transaction is durable: it survives a crash of the process and a power failure.
 * Only one that is `part_of_load` may become durable later: when the load has resolved.
 */
export interface Storage extends StorageWriter {
  /**
   * Runs `run` atomically and in isolation. It may run again on a conflict, so it must touch nothing but its
   * handle; using the outer storage inside it throws. An error thrown by `run` rolls back and is rethrown
   * unchanged.
   */
  transaction<T>(run: (tx: Transaction) => Promise<T>, intent?: TransactionIntent): Promise<T>;
  /**
   * A number that grows with each commit that changed one of these tables; data read from them stays valid while the
   * number is the same. Only a storage that has no other writers while it is open can provide it.
   */
  version?(tables: readonly TableName[]): number;
  /**
   * Runs `load`, which writes very many records, and meanwhile defers work that only makes later searches faster;
   * searches still find everything. Resolves once that work is done, in short steps, and the load is durable; after a
   * crash the work is done when the storage is next opened. Omitted by a storage that has nothing to defer.
   */
  bulkLoad?<T>(load: () => Promise<T>): Promise<T>;
  /** Resolves when the storage is available; otherwise fails with the reason. */
  ping(): Promise<void>;
  /** Finishes current operations and closes files and connections. */
  close(): Promise<void>;
}
