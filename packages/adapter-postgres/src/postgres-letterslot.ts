import { type LetterslotConfig, type RunningLetterslot, startLetterslot } from "@letterslot/core";
import type { Objects } from "@letterslot/core/ports";
import { createPostgresBlobs } from "./blobs/postgres-blobs.ts";
import { createPostgresQueue } from "./ports/postgres-queue.ts";
import { createPostgresSignals } from "./ports/postgres-signals.ts";
import {
  createPostgresStorage,
  type PostgresStorage,
  type PostgresStorageOptions,
} from "./storage/postgres-storage.ts";

/** The database, the keys, and the ports that aren't about storing. */
export interface PostgresLetterslotOptions
  extends PostgresStorageOptions,
    Omit<LetterslotConfig, "storage" | "blobs" | "queue" | "signals"> {
  /** The store for blobs beyond 64 KiB. Default: the database. */
  objects?: Objects;
}

/** A running service on PostgreSQL. */
export interface PostgresLetterslot extends RunningLetterslot {
  storage: PostgresStorage;
}

/**
 * A whole service in one schema of a database: storage, blobs, queue and signals, with its work and sweep
 * running in this process until `close`. Any number of processes may run it on the same database, with the same
 * `encryptionKeys`. Throws what `createPostgresStorage` throws.
 */
export async function createPostgresLetterslot(
  options: PostgresLetterslotOptions,
): Promise<PostgresLetterslot> {
  const {
    connectionString: _connection_string,
    pool: _pool,
    kysely: _kysely,
    schema: _schema,
    poolSize: _pool_size,
    connectTimeoutMs: _connect_timeout_ms,
    statementTimeoutMs: _statement_timeout_ms,
    lockTimeoutMs: _lock_timeout_ms,
    transactionTimeoutMs: _transaction_timeout_ms,
    preparedStatements: _prepared_statements,
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
