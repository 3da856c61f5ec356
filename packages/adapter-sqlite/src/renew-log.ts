import { closeSync, existsSync, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import type { Connection } from "./connection.ts";

const PIECE_BYTES = 1024 * 1024;

/**
 * Writes what is in the database's log once more in its place, and syncs it. After a failed sync the system
 * shows what never came to the disk and takes it for written; a process that was killed then leaves a log
 * whose end SQLite would believe and build on.
 */
export function renewLog(connection: Connection, path: string): void {
  const log = `${path}-wal`;
  // Nobody else writes to it meanwhile.
  connection.run("begin immediate");
  try {
    if (existsSync(log)) rewrite(log);
  } finally {
    connection.run("rollback");
  }
}

function rewrite(path: string): void {
  const file = openSync(path, "r+");
  try {
    const { size } = fstatSync(file);
    const piece = Buffer.alloc(Math.min(size, PIECE_BYTES));
    for (let at = 0; at < size; ) {
      const length = readSync(file, piece, 0, piece.length, at);
      if (length === 0) break;
      at += writeSync(file, piece, 0, length, at);
    }
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}
