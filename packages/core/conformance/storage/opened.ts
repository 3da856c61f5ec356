import type { TableName } from "../../src/model/tables.ts";
import type { Find, Storage } from "../../src/ports/storage.ts";
import type { Opened } from "../kit.ts";

/** A fresh, empty storage for one test. */
export interface OpenedStorage extends Opened {
  storage: Storage;
  /**
   * Ends the storage as a crash would (nothing more is written) and opens what is there. Left out by a
   * storage that keeps nothing.
   */
  reopen?(): Promise<Storage>;
  /**
   * How the database would run a query: whether it reads a whole table, and whether it sorts. Left out where
   * nobody can tell.
   */
  plan?(
    table: TableName,
    query: Find<TableName>,
  ): Promise<{ scans: boolean; sorts: boolean; detail: string }>;
}

/** A `test` whose function gets a fresh storage. */
export type StorageTest = (name: string, run: (opened: OpenedStorage) => Promise<void>) => void;
