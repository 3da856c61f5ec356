export { createPostgresBlobs, type PostgresBlobsOptions } from "./blobs/postgres-blobs.ts";
export { createPostgresQueue } from "./ports/postgres-queue.ts";
export { createPostgresSignals } from "./ports/postgres-signals.ts";
export {
  createPostgresLetterslot,
  type PostgresLetterslot,
  type PostgresLetterslotOptions,
} from "./postgres-letterslot.ts";
export {
  createPostgresStorage,
  type PostgresStorage,
  type PostgresStorageOptions,
} from "./storage/postgres-storage.ts";
