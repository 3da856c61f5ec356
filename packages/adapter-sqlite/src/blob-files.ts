import { randomUUID } from "node:crypto";
import { access, mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fail, type StreamedBlob } from "@letterslot/core/ports";

/** Files named by the hash of their bytes. */
export interface BlobFiles {
  has(hash: string): Promise<boolean>;
  read(hash: string): Promise<Uint8Array | undefined>;
  /** The file as it is read; it is opened with the first piece. Fails with `storage_unavailable`. */
  stream(hash: string): Promise<StreamedBlob | undefined>;
  /** Resolves once the file is on disk under its name. Fails with `storage_unavailable`. */
  write(hash: string, bytes: Uint8Array): Promise<void>;
  /**
   * Opens a file whose hash isn't known yet. It has no name among the others until it is kept; one that a crash left is
   * deleted by `clear`. Fails with `storage_unavailable`.
   */
  receive(): Promise<IncomingFile>;
  /** Deletes the files that an earlier process was receiving. */
  clear(): Promise<void>;
  remove(hash: string): Promise<void>;
}

/** A file that is being received. Every call fails with `storage_unavailable`. */
interface IncomingFile {
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves once the file is on disk under its name. */
  keep(hash: string): Promise<void>;
  /** Deletes it, unless it was kept. */
  discard(): Promise<void>;
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
  const place = async (path: string, write: () => Promise<void>) => {
    const parent = dirname(path);
    await mkdir(parent, { recursive: true, mode: 0o700 });
    await write();
    await syncFolder(parent);
    await syncName(parent);
    await syncName(folder);
  };

  const incoming = join(folder, "incoming");
  let cleared: Promise<void> | undefined;
  /** Once per process, before it receives anything itself. */
  const clear = () => {
    cleared ??= rm(incoming, { recursive: true, force: true }).catch((error: unknown) => {
      cleared = undefined;
      throw error;
    });
    return cleared;
  };
  const receive = async (): Promise<IncomingFile> => {
    await clear();
    await mkdir(incoming, { recursive: true, mode: 0o700 });
    const temporary = join(incoming, randomUUID());
    const file = await open(temporary, "wx", 0o600);
    const keep = async (path: string) => {
      await file.datasync();
      await file.close();
      await place(path, () => rename(temporary, path));
    };
    return {
      write: (bytes) => unavailableOnError(file.writeFile(bytes)),
      keep: (hash) => unavailableOnError(keep(pathOf(hash))),
      // Closing it twice fails, and changes nothing.
      discard: () =>
        unavailableOnError(
          file
            .close()
            .catch(() => undefined)
            .then(() => rm(temporary, { force: true })),
        ),
    };
  };

  return {
    has: (hash) =>
      access(pathOf(hash)).then(
        () => true,
        () => false,
      ),
    read: (hash) => unavailableOnError(readFile(pathOf(hash)).catch(ignoreMissing)),
    async stream(hash) {
      const facts = await unavailableOnError(stat(pathOf(hash)).catch(ignoreMissing));
      return facts && { size_bytes: facts.size, bytes: piecesOf(pathOf(hash), facts.size) };
    },
    write: (hash, bytes) =>
      unavailableOnError(place(pathOf(hash), () => writeAtomically(pathOf(hash), bytes))),
    receive: () => unavailableOnError(receive()),
    clear: () => unavailableOnError(clear()),
    remove: (hash) => unavailableOnError(rm(pathOf(hash), { force: true })),
  };
}

/** Bytes of a file that are in memory at a time. */
const PIECE_BYTES = 256 * 1024;

async function* piecesOf(path: string, size_bytes: number): AsyncGenerator<Uint8Array> {
  const file = await unavailableOnError(open(path, "r"));
  try {
    for (let at = 0; at < size_bytes; ) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, size_bytes - at));
      const { bytesRead: read } = await unavailableOnError(file.read(piece, 0, piece.length, at));
      if (read === 0)
        throw fail("storage_unavailable", { cause: new Error("The file of a blob is too short.") });
      yield piece.subarray(0, read);
      at += read;
    }
  } finally {
    await file.close();
  }
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
