export { createPostgresBlobs, type PostgresBlobsOptions } from "./postgres-blobs.ts";
export {
  createPostgresLetterslot,
  type PostgresLetterslot,
  type PostgresLetterslotOptions,
} from "./postgres-letterslot.ts";
export { createPostgresQueue } from "./postgres-queue.ts";
export { createPostgresSignals } from "./postgres-signals.ts";
export {
  createPostgresStorage,
  type PostgresStorage,
  type PostgresStorageOptions,
} from "./postgres-storage.ts";
