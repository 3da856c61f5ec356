export { createPostgresBlobs } from "./postgres-blobs.ts";
export { createPostgresQueue } from "./postgres-queue.ts";
export { createPostgresSignals } from "./postgres-signals.ts";
export {
  createPostgresStorage,
  type PostgresStorage,
  type PostgresStorageOptions,
} from "./postgres-storage.ts";
