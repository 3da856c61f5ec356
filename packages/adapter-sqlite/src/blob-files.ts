import { randomUUID } from "node:crypto";
import { access, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fail } from "@letterslot/core";

/** Files named by the hash of their bytes. */
export interface BlobFiles {
  /** Runs one thing at a time for a hash, in this process. */
  alone<T>(hash: string, run: () => Promise<T>): Promise<T>;
  has(hash: string): Promise<boolean>;
  read(hash: string): Promise<Uint8Array | undefined>;
  /** Resolves once the bytes are on disk under their name. Fails with `storage_unavailable`. */
  write(hash: string, bytes: Uint8Array): Promise<void>;
  remove(hash: string): Promise<void>;
}

/** Files in `ab/cdef…` under a folder, which is made when it isn't there; only this user may read them. */
export function createBlobFiles(folder: string): BlobFiles {
  const turns = new Map<string, Promise<unknown>>();
  const pathOf = (hash: string) => join(folder, hash.slice(0, 2), hash.slice(2));
  const lasting = new Set<string>();

  /**
   * Makes a folder's own name last. Whoever made it may have ended before this, so it being there doesn't
   * tell.
   */
  const keepName = async (path: string) => {
    if (lasting.has(path)) return;
    await syncFolder(dirname(path));
    lasting.add(path);
  };
  const write = async (path: string, bytes: Uint8Array) => {
    const parent = dirname(path);
    await mkdir(parent, { recursive: true, mode: 0o700 });
    await writeWhole(path, bytes);
    await syncFolder(parent);
    await keepName(parent);
    await keepName(folder);
  };

  return {
    alone(hash, run) {
      const turn = (turns.get(hash) ?? Promise.resolve()).then(run, run);
      turns.set(hash, turn);
      const leave = () => {
        if (turns.get(hash) === turn) turns.delete(hash);
      };
      turn.then(leave, leave);
      return turn;
    },
    has: (hash) =>
      access(pathOf(hash)).then(
        () => true,
        () => false,
      ),
    read: (hash) => ioOr(readFile(pathOf(hash)).catch(ifMissing)),
    write: (hash, bytes) => ioOr(write(pathOf(hash), bytes)),
    remove: (hash) => ioOr(rm(pathOf(hash), { force: true })),
  };
}

/** A reader sees the whole file or none: it is written under another name first. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(bytes);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** A new name in a folder is on disk only once the folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}

async function ioOr<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw fail("storage_unavailable", { cause: error });
  }
}
