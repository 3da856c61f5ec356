import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";

/** On each message, copies committed pages from the log into the database file, then answers. */
const database = new Database(workerData as string, { fileMustExist: true });
database.pragma("synchronous = full");
const checkpoint = database.prepare("pragma wal_checkpoint(passive)");

parentPort?.on("message", () => {
  try {
    checkpoint.all();
  } catch {
    // The writer notices a failing disk by itself. What was not copied stays in the log.
  }
  parentPort?.postMessage("copied", []);
});
