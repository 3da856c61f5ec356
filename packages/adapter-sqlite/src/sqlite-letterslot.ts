import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type LetterslotConfig, type RunningLetterslot, startLetterslot } from "@letterslot/core";
import { keyInFolder } from "./key-in-folder.ts";
import { createSqliteBlobs } from "./sqlite-blobs.ts";
import { createSqliteQueue, createSqliteSignals } from "./sqlite-queue.ts";
import { createSqliteStorage, type SqliteStorage } from "./sqlite-storage.ts";

/** The data folder of the service, and the ports that aren't about storage. */
export interface SqliteLetterslotOptions
  extends Omit<LetterslotConfig, "storage" | "blobs" | "queue" | "signals" | "encryptionKeys"> {
  /**
   * The folder for the database, large blobs and the key that seals secrets: created if needed, for this user
   * only. letterslot-server can use it as DATA_DIR. One process at a time may use it.
   */
  folder: string;
  /** Keys of 32 bytes: the first seals, all open. Default: one that is generated in `folder/encryption.key`. */
  encryptionKeys?: readonly Uint8Array[];
}

/** A running service on SQLite. */
export interface SqliteLetterslot extends RunningLetterslot {
  storage: SqliteStorage;
}

/**
 * A whole service in one folder: storage, blobs, queue and signals, with its work and sweep running in this
 * process until `close`. Throws what opening the folder or the database throws.
 */
export function createSqliteLetterslot(options: SqliteLetterslotOptions): SqliteLetterslot {
  const { folder, encryptionKeys, ...config } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });

  const clock = config.clock === undefined ? {} : { clock: config.clock };
  const storage = createSqliteStorage({ path: join(folder, "letterslot.db") });
  const letterslot = startLetterslot({
    ...config,
    storage,
    blobs: createSqliteBlobs({ storage, folder: join(folder, "blobs"), ...clock }),
    queue: createSqliteQueue(clock),
    signals: createSqliteSignals(),
    encryptionKeys: encryptionKeys ?? [keyInFolder(folder)],
  });
  return { ...letterslot, storage };
}
