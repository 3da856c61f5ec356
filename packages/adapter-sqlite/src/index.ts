export { createSqliteBlobs } from "./sqlite-blobs.ts";
export { createSqliteQueue } from "./sqlite-queue.ts";
export { createSqliteSignals } from "./sqlite-signals.ts";
export { createSqliteStorage, type SqliteStorage, type SqliteStorageOptions } from "./sqlite-storage.ts";
