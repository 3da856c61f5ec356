import {
  type LetterslotConfig,
  type Objects,
  type RunningLetterslot,
  startLetterslot,
} from "@letterslot/core";
import { createPostgresBlobs } from "./postgres-blobs.ts";
import { createPostgresQueue } from "./postgres-queue.ts";
import { createPostgresSignals } from "./postgres-signals.ts";
import {
  createPostgresStorage,
  type PostgresStorage,
  type PostgresStorageOptions,
} from "./postgres-storage.ts";

/** The database, the keys, and the ports that aren't about storing. */
export interface PostgresLetterslotOptions
  extends PostgresStorageOptions,
    Omit<LetterslotConfig, "storage" | "blobs" | "queue" | "signals"> {
  /** Where blobs beyond 64 KiB are put. Default: in the database. */
  objects?: Objects;
}

/** A running service on PostgreSQL. */
export interface PostgresLetterslot extends RunningLetterslot {
  storage: PostgresStorage;
}

/**
 * A whole service in one schema of a database: storage, blobs, queue and signals, with its work and sweep
 * running in this process until `close`. Any number of processes may run it on the same database, with the same
 * `encryption_keys`. Throws what `createPostgresStorage` throws.
 */
export async function createPostgresLetterslot(
  options: PostgresLetterslotOptions,
): Promise<PostgresLetterslot> {
  const {
    connection_string: _connection_string,
    pool: _pool,
    kysely: _kysely,
    schema: _schema,
    pool_size: _pool_size,
    connect_timeout_ms: _connect_timeout_ms,
    statement_timeout_ms: _statement_timeout_ms,
    lock_timeout_ms: _lock_timeout_ms,
    transaction_timeout_ms: _transaction_timeout_ms,
    prepared_statements: _prepared_statements,
    objects,
    ...config
  } = options;
  const storage = await createPostgresStorage(options);
  const clock = config.clock === undefined ? {} : { clock: config.clock };
  const letterslot = startLetterslot({
    ...config,
    storage,
    blobs: createPostgresBlobs({ storage, ...clock, ...(objects && { objects }) }),
    queue: createPostgresQueue({ storage, ...clock }),
    signals: createPostgresSignals({ storage }),
  });
  return { ...letterslot, storage };
}
