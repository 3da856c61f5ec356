import { readFileSync, writeFileSync } from "node:fs";
import Database from "better-sqlite3";
import type { DataDir } from "./data-dir.ts";

/** A process that is just ending is waited for this long: supervisors start the next one at once. */
const patienceMs = 1_000;

/** Another process works in the folder. */
export class DataDirInUse extends Error {
  constructor(path: string, holder: string) {
    super(
      `${path} is in use by another Letterslot${holder}. Stop that one, or give this one a DATA_DIR of its own.`,
    );
    this.name = "DataDirInUse";
  }
}

/**
 * Holds the folder for this process alone until the answered function is called. The lock is the operating
 * system's, on a file that SQLite holds: a process that was killed holds it no more, whatever process has its
 * number now. Throws `DataDirInUse`.
 */
export function lockDataDir(dataDir: DataDir): () => void {
  const holderFile = dataDir.file("lock.pid");
  const lock = new Database(dataDir.file("lock.db"), { timeout: patienceMs });
  try {
    lock.pragma("locking_mode = EXCLUSIVE");
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if ((error as { code?: string }).code !== "SQLITE_BUSY") throw error;
    throw new DataDirInUse(dataDir.path, holderIn(holderFile));
  }
  writeFileSync(holderFile, String(process.pid), { mode: 0o600 });
  return () => lock.close();
}

function holderIn(file: string): string {
  try {
    return ` (process ${Number(readFileSync(file, "utf8"))})`;
  } catch {
    return "";
  }
}
