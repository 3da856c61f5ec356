import { closeSync, existsSync, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import type { Connection } from "../connection.ts";

const CHUNK_BYTES = 1024 * 1024;

/**
 * Rewrites the write-ahead log in place and syncs it. After a failed sync the system's page cache holds data
 * that never reached the disk and counts as written. If the process is killed then, SQLite would trust the
 * end of that log and build on it.
 */
export function rewriteWal(connection: Connection, path: string): void {
  const log = `${path}-wal`;
  // Keeps other processes from writing to the log meanwhile.
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
    const chunk = Buffer.alloc(Math.min(size, CHUNK_BYTES));
    for (let at = 0; at < size; ) {
      const length = readSync(file, chunk, 0, chunk.length, at);
      if (length === 0) break;
      at += writeSync(file, chunk, 0, length, at);
    }
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}
