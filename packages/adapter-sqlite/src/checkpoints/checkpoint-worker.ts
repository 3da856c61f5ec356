import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";

/**
 * The maximum number of passes. Each copies the pages committed during the one before: fewer each time, unless the
 * writer is as fast.
 */
const MAX_PASSES = 3;

/** On each message, copies committed pages from the log into the database file, then answers whether all are copied. */
const database = new Database(workerData as string, { fileMustExist: true });
database.pragma("synchronous = full");
const checkpoint = database.prepare<[], { log: number; checkpointed: number }>(
  "pragma wal_checkpoint(passive)",
);

function copy(): boolean {
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const { log, checkpointed } = checkpoint.get() ?? { log: 0, checkpointed: 0 };
    if (log === checkpointed) return true;
  }
  return false;
}

parentPort?.on("message", () => {
  let all = false;
  try {
    all = copy();
  } catch {
    // The writer notices a failing disk by itself. Pages that were not copied stay in the log.
  }
  parentPort?.postMessage(all, []);
});
