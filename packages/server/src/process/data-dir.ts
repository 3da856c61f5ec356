import { randomBytes } from "node:crypto";
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
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

/** The folder with all of the server's data, accessible only to its own user. */
export interface DataDir {
  path: string;
  /** The path of a file in it. */
  file(name: string): string;
  /** Reads a secret file (0600); `make` creates its text the first time. */
  secret(name: string, make: () => string | Promise<string>): Promise<string>;
}

/** The folder cannot be used. */
export class DataDirUnusable extends Error {
  override name = "DataDirUnusable";
  /** Why, in a sentence. */
  readonly says: string;
  /** What to do, in a sentence. */
  readonly fix: string;

  constructor(says: string, fix: string, options: ErrorOptions) {
    super(`${says} ${fix}`, options);
    this.says = says;
    this.fix = fix;
  }
}

const PROBLEMS: Record<string, string> = {
  ENOTDIR: "is not a folder",
  EEXIST: "is not a folder",
  EACCES: "this user may not write to",
  EPERM: "does not belong to this user",
  EROFS: "is on a read-only file system",
  ENOSPC: "is on a full file system",
};

/** Opens the folder, creating it if necessary (0700). Throws `DataDirUnusable`. */
export function openDataDir(path: string): DataDir {
  const root = resolve(path);
  try {
    makeFolder(root);
    chmodSync(root, 0o700);
    accessSync(root, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const problem = PROBLEMS[code] ?? `cannot be used (${code})`;
    throw new DataDirUnusable(
      `DATA_DIR is ${JSON.stringify(path)}, which ${problem}.`,
      "Set it to a folder that this user can write to.",
      { cause: error },
    );
  }
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

/** Creates a folder and its parents so that they survive a power cut. */
function makeFolder(path: string): void {
  const first = makeAll(path);
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) syncFolder(dirname(made));
}

/** Returns the first folder that was missing. */
function makeAll(path: string): string | undefined {
  try {
    return mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    // On a read-only file system Node says that there is no such folder.
    let parent = path;
    while (!existsSync(parent) && dirname(parent) !== parent) parent = dirname(parent);
    accessSync(parent, constants.W_OK);
    throw error;
  }
}

/** Makes new entries of a folder durable. */
function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Writes a file atomically and never overwrites an existing one: a secret in use must not be lost. */
function writeOnce(path: string, text: string): void {
  const temporary = `${path}.${randomBytes(6).toString("hex")}`;
  writeFileSync(temporary, text, { mode: 0o600, flag: "wx", flush: true });
  try {
    linkSync(temporary, path);
  } catch (error) {
    // Another process that shares the folder was first: both use its file.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(temporary);
  }
  syncFolder(dirname(path));
}
