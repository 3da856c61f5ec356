import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";

/**
 * Copies what is committed from the log into the database file whenever it is asked to, and says when it is
 * done.
 */
const database = new Database(workerData as string, { fileMustExist: true });
database.pragma("synchronous = full");
const copy = database.prepare("pragma wal_checkpoint(passive)");

parentPort?.on("message", () => {
  try {
    copy.all();
  } catch {
    // A disk that fails is the writer's to notice. What was not copied still stands in the log.
  }
  parentPort?.postMessage("copied", []);
});
