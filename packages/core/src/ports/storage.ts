import type { RecordOf, TableName } from "../model/tables.ts";

/**
 * A value that a column can hold. Arrays and objects are stored as JSON; times are ISO 8601 UTC strings,
 * which sort as they read.
 */
export type Value = string | number | boolean | null;

/**
 * What a column may be compared with: the value itself, or one of these. `has` asks whether a JSON array
 * contains the value.
 */
export type Condition<V> =
  | V
  | { in: readonly Exclude<V, null | undefined>[] }
  | { lt?: V; lte?: V; gt?: V; gte?: V }
  | { not: V }
  | (V extends readonly (infer E)[] ? { has: E } : never);

/**
 * Conditions on columns, and-ed. There is no other grammar: what it can't say goes through a side table or
 * the search words.
 */
export type Where<N extends TableName> = { [C in keyof RecordOf<N>]?: Condition<RecordOf<N>[C]> };

/**
 * A page of records: `order` names one column; the page goes on by a condition on that column (`{id: {lt:
 * cursor}}`).
 */
export interface Find<N extends TableName> {
  where: Where<N>;
  order?: { by: keyof RecordOf<N> & string; direction: "asc" | "desc" };
  limit: number;
  /**
   * Leaves out records that another writer is changing at this moment, where the storage can tell: for many
   * who look for the same work.
   */
  skip_locked?: boolean;
}

/** What an update writes: values, or `{add: n}` on a number, which counts without reading. */
export type Change<N extends TableName> = {
  [C in keyof RecordOf<N>]?: RecordOf<N>[C] | (RecordOf<N>[C] extends number ? { add: number } : never);
};

/** The words of one message, as core cut them (`search/words.ts`); the database indexes them as they are. */
export interface SearchDocument {
  message_id: string;
  account_id: string;
  inbox_id: string;
  thread_id: string;
  fields: Record<SearchField, string[]>;
}

/** The parts of a message that words are looked for in. */
export type SearchField = "subject" | "text" | "sender" | "recipients" | "attachments";

/**
 * One thing that must match: a word, a phrase (several words in a row) or a prefix (the last word is one), in
 * one field or in any.
 */
export interface SearchTerm {
  words: string[];
  prefix: boolean;
  field: SearchField | null;
}

/**
 * A search over one account, newest first; all terms must match. `before` is a message id: only older ones
 * are found.
 */
export interface SearchQuery {
  account_id: string;
  inbox_id: string | null;
  thread_id: string | null;
  terms: SearchTerm[];
  before: string | null;
  limit: number;
}

/** What can be read, inside a transaction and outside. */
export interface StorageReader {
  /**
   * The record whose primary key is `id` (the first key column; tables with longer keys are read with
   * `find`), or undefined.
   */
  get<N extends TableName>(table: N, id: string): Promise<RecordOf<N> | undefined>;
  /** The records that match, in order, at most `limit`. Costs what the page costs. */
  find<N extends TableName>(table: N, query: Find<N>): Promise<RecordOf<N>[]>;
  /** How many match, counted no further than `up_to`. */
  count<N extends TableName>(table: N, where: Where<N>, up_to: number): Promise<number>;
  /** Ids of the messages that hold the words, newest first. */
  search(query: SearchQuery): Promise<string[]>;
}

/** What can be written. Every promise holds under any number of concurrent writers. */
export interface StorageWriter extends StorageReader {
  /**
   * Inserts the record; on a clash with the primary key or a unique index it answers the record that holds
   * the key and `inserted: false`. Never throws for a clash.
   */
  insert<N extends TableName>(
    table: N,
    record: RecordOf<N>,
  ): Promise<{ record: RecordOf<N>; inserted: boolean }>;
  /**
   * Changes all that match in one step and answers them as they now are. `where` is the guard: compare and
   * set.
   */
  update<N extends TableName>(table: N, where: Where<N>, change: Change<N>): Promise<RecordOf<N>[]>;
  /** Deletes all that match and says how many there were. */
  delete<N extends TableName>(table: N, where: Where<N>): Promise<number>;
}

/** A transaction. The handle is of no use after `run` has ended: each verb then throws. */
export interface Transaction extends StorageWriter {
  /**
   * Inserts records whose keys were made just now. May be gathered and sent together with the next read or
   * the commit; a clash fails the whole transaction.
   */
  append<N extends TableName>(table: N, records: readonly RecordOf<N>[]): void;
  /** Adds messages to the search index, likewise gathered. */
  index(documents: readonly SearchDocument[]): void;
  /** Takes messages out of the search index. */
  unindex(message_ids: readonly string[]): void;
}

/** What a transaction says of itself beforehand. */
export interface TransactionIntent {
  /**
   * A record that `run` is going to change, as many others do: such transactions may go one after the other
   * from the start.
   */
  changes?: { table: TableName; id: string };
}

/**
 * Where records live. What an awaited write or transaction answered is durable: it survives the process and
 * the machine losing power.
 */
export interface Storage extends StorageWriter {
  /**
   * Runs `run` all or nothing, as if alone. It may be run again on a clash, so it touches nothing but the
   * handle it is given; using the outer storage inside it throws. An error thrown by `run` rolls back and
   * comes out as it is.
   */
  transaction<T>(run: (tx: Transaction) => Promise<T>, intent?: TransactionIntent): Promise<T>;
  /**
   * A number that is another one after each commit. Only a storage that nobody else writes to while it is
   * open can tell; what was read stays true for as long as the number is the same.
   */
  version?(): number;
  /** Resolves when the storage can answer; throws what is wrong otherwise. */
  ping(): Promise<void>;
  /** Finishes what is under way and lets go of files and connections. */
  close(): Promise<void>;
}
