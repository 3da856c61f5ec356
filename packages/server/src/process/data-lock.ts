import { chmodSync, closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import Database from "better-sqlite3";
import type { DataDir } from "./data-dir.ts";

/** Waits this long for a stopping process, since supervisors start the next one at once. */
const LOCK_TIMEOUT_MS = 1_000;

/** Another process uses the folder. */
export class DataDirInUse extends Error {
  constructor(path: string, holder: string) {
    super(`${path} is in use by another Letterslot${holder}. Stop that one, or set a different DATA_DIR.`);
    this.name = "DataDirInUse";
  }
}

/**
 * Locks the folder for this process; the returned function unlocks it. SQLite holds an operating system lock
 * on a file, so a killed process leaves no lock behind, even if its process id is reused. Throws
 * `DataDirInUse`.
 */
export function lockDataDir(dataDir: DataDir): () => void {
  const holderFile = dataDir.file("lock.pid");
  const lockFile = dataDir.file("lock.db");
  closeSync(openSync(lockFile, "a", 0o600)); // SQLite would let every user read it, and so hold its lock
  chmodSync(lockFile, 0o600);
  const lock = new Database(lockFile, { timeout: LOCK_TIMEOUT_MS });
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
