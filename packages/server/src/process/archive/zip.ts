import { existsSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { ArchiveError } from "@letterslot/core/archive";
import type { Archive, ReadFile, ZipOptions, ZippedFile } from "@letterslot/core/internal";
import { type Entry, openPromise, type ZipFile as ZipReader } from "yauzl";
import { readContent } from "./zip-content.ts";

/** A zip that an interrupted run has begun. */
interface Begun {
  /** When it was begun, which is also when its files say they were modified. */
  modified: Date;
  written: ZippedFile[];
  /** Its size in bytes, including these files. */
  bytes: number;
}

/** The archive is of one time: after this long, it is begun anew. */
const MAX_PAUSE_MS = 24 * 3_600_000;
/** The maximum number of bytes whose writing an interruption wastes. */
const BYTES_AT_ONCE = 4 * 1024 * 1024;

/**
 * Writes a zip as it is made. It has its name only once it is whole: until then it is `<path>.part`, beside it a list
 * of the files that are complete on the disk, after which a later run continues.
 */
export async function writeZip(
  path: string,
  now: Date,
  zipAfter: (modified: Date, options: Required<ZipOptions>) => AsyncIterable<Uint8Array>,
): Promise<void> {
  const [part, list] = [`${path}.part`, `${path}.part.files`];
  const { modified, written, bytes } = readBegun(part, list, now);
  const zip = await open(part, bytes === 0 ? "w" : "r+", 0o600);
  const names = await open(list, bytes === 0 ? "w" : "a", 0o600);
  try {
    await zip.truncate(bytes);
    if (bytes === 0) await names.write(`${JSON.stringify({ modified })}\n`);
    let complete: string[] = [];
    let waiting: Uint8Array[] = [];
    let size = 0;
    let at = bytes;
    const flush = async () => {
      const piece = Buffer.concat(waiting);
      for (let done = 0; done < piece.length; )
        done += (await zip.write(piece, done, piece.length - done, at + done)).bytesWritten;
      at += piece.length;
      await zip.datasync();
      await names.write(complete.join(""));
      [complete, waiting, size] = [[], [], 0];
    };
    const finished: ZipOptions["finished"] = (file, end) =>
      void complete.push(`${JSON.stringify({ file, bytes: end })}\n`);
    try {
      for await (const piece of zipAfter(modified, { written, finished })) {
        waiting.push(piece);
        size += piece.length;
        if (size >= BYTES_AT_ONCE) await flush();
      }
    } finally {
      await flush();
    }
  } finally {
    await zip.close();
    await names.close();
  }
  renameSync(part, path);
  rmSync(list);
}

/** Returns the entries that an earlier run has completed; none if there was no such run, or too long ago. */
function readBegun(part: string, list: string, now: Date): Begun {
  const anew = { modified: now, written: [], bytes: 0 };
  if (!existsSync(part) || !existsSync(list)) return anew;
  const [head, ...lines] = linesOf(readFileSync(list, "utf8"));
  const { modified: begun = 0 } = (head ?? {}) as { modified?: string };
  const modified = new Date(begun);
  const files = lines as { file: ZippedFile; bytes: number }[];
  const bytes = files.at(-1)?.bytes ?? 0;
  if (now.getTime() - modified.getTime() > MAX_PAUSE_MS || statSync(part).size < bytes) return anew;
  return { modified, written: files.map(({ file }) => file), bytes };
}

/** The values of the lines that a run wrote whole before it ended. */
function linesOf(text: string): unknown[] {
  try {
    return text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as unknown);
  } catch {
    return [];
  }
}

/**
 * Opens a zip as an archive. Its files are read as streams and never written anywhere under their names. Throws an
 * `ArchiveError` when it is no whole zip, and when a file isn't as long as the zip says.
 */
export async function openZip(path: string): Promise<Archive & { close(): Promise<void> }> {
  const readers: ZipReader[] = [];
  const openReader = async () => {
    // Each pass over the directory has a reader of its own.
    const reader = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(damaged(path));
    readers.push(reader);
    return reader;
  };
  await openReader();
  const zip = await open(path, "r");
  return {
    async *files() {
      const reader = await openReader();
      try {
        for await (const entry of reader.eachEntry()) yield fileOf(reader, zip, entry, path);
      } catch (error) {
        damaged(path)(error);
      }
    },
    async close() {
      readers.forEach((reader) => reader.close());
      await zip.close();
    },
  };
}

const fileOf = (reader: ZipReader, zip: FileHandle, entry: Entry, path: string): ReadFile => ({
  name: entry.fileName,
  size: entry.uncompressedSize,
  async read() {
    if (!entry.canDecodeFileData())
      return damaged(path)(new Error(`${entry.fileName} is packed in another way`));
    const header = await reader.readLocalFileHeaderPromise(entry, { minimal: true }).catch(damaged(path));
    return (async function* () {
      try {
        const { compressionMethod, compressedSize, uncompressedSize } = entry;
        const start = header.fileDataStart;
        yield* readContent(zip, { start, compressionMethod, compressedSize, uncompressedSize });
      } catch (error) {
        damaged(path)(error);
      }
    })();
  },
});

const damaged =
  (path: string) =>
  (error: unknown): never => {
    if (error instanceof ArchiveError || isFileError(error)) throw error;
    throw new ArchiveError(`${path} can't be read as a zip file: ${(error as Error).message}`);
  };

/** The file system refused something in another thread. */
export class ZipFileError extends Error {
  override name = "ZipFileError";
}

/** Whether the file system refused something: no such file, no permission, no space. Its messages name the path. */
export const isFileError = (error: unknown): error is Error =>
  error instanceof ZipFileError || (error as NodeJS.ErrnoException).syscall !== undefined;
