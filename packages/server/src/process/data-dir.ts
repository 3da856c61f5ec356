import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The folder that holds all that the server keeps; for its owner's eyes only. */
export interface DataDir {
  path: string;
  /** The path of something in it. */
  file(name: string): string;
  /** The text of a secret file, made by `make` the first time; 0600. */
  secret(name: string, make: () => string | Promise<string>): Promise<string>;
}

/** Opens the folder, making it if it isn't there (0700). Throws what the file system says. */
export function openDataDir(path: string): DataDir {
  const root = resolve(path);
  makeFolder(root);
  chmodSync(root, 0o700);
  const file = (name: string) => join(root, name);
  return {
    path: root,
    file,
    async secret(name, make) {
      if (!existsSync(file(name))) writeOnce(file(name), await make());
      chmodSync(file(name), 0o600);
      return readFileSync(file(name), "utf8");
    },
  };
}

/** Makes a folder, and those above it, that a power cut leaves there. */
function makeFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) syncFolder(dirname(made));
}

/** A new name in a folder is on the disk once the folder was synced. */
function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/**
 * Writes a file whole or not at all, and never over one that is there: a secret that was in use must not be
 * lost.
 */
function writeOnce(path: string, text: string): void {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  writeFileSync(draft, text, { mode: 0o600, flag: "wx", flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    // Another process that shares the folder was first: both read what that one wrote.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
  syncFolder(dirname(path));
}
