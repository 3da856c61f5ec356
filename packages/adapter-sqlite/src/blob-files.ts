import { randomUUID } from "node:crypto";
import { access, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fail } from "@letterslot/core/ports";

/** Files named by the hash of their bytes. */
export interface BlobFiles {
  has(hash: string): Promise<boolean>;
  read(hash: string): Promise<Uint8Array | undefined>;
  /** Resolves once the file is on disk under its name. Fails with `storage_unavailable`. */
  write(hash: string, bytes: Uint8Array): Promise<void>;
  remove(hash: string): Promise<void>;
}

/** Files `ab/cdef…` in a folder, which is created if needed; only this user may read them. */
export function createBlobFiles(folder: string): BlobFiles {
  const pathOf = (hash: string) => join(folder, hash.slice(0, 2), hash.slice(2));
  const synced = new Set<string>();

  /** Syncs the folder's own name, once per process: an earlier process may have died before its sync. */
  const syncName = async (path: string) => {
    if (synced.has(path)) return;
    await syncFolder(dirname(path));
    synced.add(path);
  };
  const write = async (path: string, bytes: Uint8Array) => {
    const parent = dirname(path);
    await mkdir(parent, { recursive: true, mode: 0o700 });
    await writeAtomically(path, bytes);
    await syncFolder(parent);
    await syncName(parent);
    await syncName(folder);
  };

  return {
    has: (hash) =>
      access(pathOf(hash)).then(
        () => true,
        () => false,
      ),
    read: (hash) => unavailableOnError(readFile(pathOf(hash)).catch(ignoreMissing)),
    write: (hash, bytes) => unavailableOnError(write(pathOf(hash), bytes)),
    remove: (hash) => unavailableOnError(rm(pathOf(hash), { force: true })),
  };
}

/** Writes under another name first, so that a reader sees the whole file or none. */
async function writeAtomically(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(bytes);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** A new name is on disk only once its folder is synced. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}

async function unavailableOnError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw fail("storage_unavailable", { cause: error });
  }
}
