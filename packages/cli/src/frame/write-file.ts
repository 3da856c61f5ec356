import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";

/** Writes bytes after those before. */
export type Write = (bytes: Uint8Array) => void;

/**
 * Writes a file that is there whole or not at all, readable by this user alone; answers what `fill` does. A device or a
 * pipe gets the bytes as they come.
 */
export async function writeWholeFile<T>(path: string, fill: (write: Write) => Promise<T>): Promise<T> {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.isFile() === false) return fillFile(openSync(path, "w"), fill);
  const target = there === undefined ? path : realpathSync(path);
  const temporary = `${target}.${randomBytes(6).toString("hex")}`;
  const file = openSync(temporary, "wx", 0o600);
  try {
    const answer = await fillFile(file, async (write) => {
      const filled = await fill(write);
      fsyncSync(file);
      return filled;
    });
    renameSync(temporary, target);
    return answer;
  } finally {
    rmSync(temporary, { force: true });
  }
}

async function fillFile<T>(file: number, fill: (write: Write) => Promise<T>): Promise<T> {
  try {
    return await fill((bytes) => {
      for (let start = 0; start < bytes.length; ) start += writeSync(file, bytes, start);
    });
  } finally {
    closeSync(file);
  }
}
