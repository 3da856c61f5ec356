import type { TableName } from "../../src/model/tables.ts";
import type { Find, Storage } from "../../src/ports/storage.ts";
import type { Opened } from "../kit.ts";

/** A fresh, empty storage for one test. */
export interface OpenedStorage extends Opened {
  storage: Storage;
  /**
   * Simulates a crash (nothing more is written) and reopens the same data. Omitted by a storage that keeps
   * nothing.
   */
  reopen?(): Promise<Storage>;
  /**
   * The database's query plan: whether it scans a whole table, and whether it sorts. Omitted if unavailable.
   */
  plan?(
    table: TableName,
    query: Find<TableName>,
  ): Promise<{ scans: boolean; sorts: boolean; detail: string }>;
}

/** A `test` whose function gets a fresh storage. */
export type StorageTest = (name: string, run: (opened: OpenedStorage) => Promise<void>) => void;
