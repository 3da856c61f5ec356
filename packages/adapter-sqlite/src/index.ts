export { createSqliteBlobs } from "./sqlite-blobs.ts";
export {
  createSqliteLetterslot,
  type SqliteLetterslot,
  type SqliteLetterslotOptions,
} from "./sqlite-letterslot.ts";
export { createSqliteQueue, createSqliteSignals } from "./sqlite-queue.ts";
export { createSqliteStorage, type SqliteStorage, type SqliteStorageOptions } from "./sqlite-storage.ts";
