import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { type DataDir, DataDirUnusable } from "../data-dir.ts";
import { doubtOfDisk, tryDisk } from "../data-disk.ts";
import { type Finding, failed, ok, reasonOf, warning } from "./checks.ts";

const MEGABYTE = 1024 * 1024;
/** Below this not even one large mail fits. */
const FAILED_BYTES = 100 * MEGABYTE;
const WARNING_BYTES = 1024 * MEGABYTE;
/** Every mail waits for the disk: above this, mail comes in slowly. */
const SLOW_MS = 100;
const PROBE_BYTES = 65_536;

/** Whether the file system of DATA_DIR can hold what SQLite writes, and keeps it. */
export function examineKind(dataDir: DataDir): Finding {
  try {
    tryDisk(dataDir);
  } catch (error) {
    if (error instanceof DataDirUnusable) return failed(error.says, error.fix);
    throw error;
  }
  const doubt = doubtOfDisk(dataDir.path);
  if (doubt !== undefined) return warning(doubt.says, doubt.fix);
  return ok("Its file system keeps SQLite's log, locks and links.");
}

/** Whether the disk of DATA_DIR has room. */
export function examineSpace(dataDir: DataDir): Finding {
  const { bavail, bsize } = statfsSync(dataDir.path);
  return judgeSpace(bavail * bsize, dataDir.path);
}

/** Judges the number of free bytes. */
export function judgeSpace(free_bytes: number, path: string): Finding {
  const free = `${Math.floor(free_bytes / MEGABYTE).toLocaleString("en")} MB are free on the disk of ${path}.`;
  const fix = "Free space or move DATA_DIR to a larger disk. Mail is put off (451) while it is full.";
  if (free_bytes < FAILED_BYTES) return failed(free, fix);
  return free_bytes < WARNING_BYTES ? warning(free, fix) : ok(free);
}

/** Whether the disk writes and syncs, and how long that takes. */
export function examineSync(dataDir: DataDir): Finding {
  const path = dataDir.file(`doctor-${randomBytes(6).toString("hex")}`);
  const started = performance.now();
  try {
    const file = openSync(path, "wx", 0o600);
    try {
      writeSync(file, randomBytes(PROBE_BYTES));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return failed(
      `DATA_DIR can't be written: ${reasonOf(error)}.`,
      "Free space on its disk, or set DATA_DIR to a folder that this user can write to.",
    );
  } finally {
    rmSync(path, { force: true });
  }
  const took = Math.round(performance.now() - started);
  const says = `A write to DATA_DIR is on the disk after ${took} ms.`;
  return took <= SLOW_MS
    ? ok(says)
    : warning(says, "Every mail waits for the disk: use a local disk, better an SSD, for DATA_DIR.");
}
