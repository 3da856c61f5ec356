import { createWriteStream, renameSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { type Archive, ArchiveError, type ReadFile } from "@letterslot/core";
import { type Entry, openPromise, type ZipFile as ZipReader } from "yauzl";

/**
 * Writes a zip as it is made. It has its name only once it is whole: until then it is `<path>.part`, which a later
 * run writes anew.
 */
export async function writeZip(path: string, zip: AsyncIterable<Uint8Array>): Promise<void> {
  await pipeline(zip, createWriteStream(`${path}.part`, { mode: 0o600, flush: true }));
  renameSync(`${path}.part`, path);
}

/**
 * Opens a zip as an archive. Its files are read as streams and never written anywhere under their names. Throws an
 * `ArchiveError` when it is no whole zip, and when a file isn't as long as the zip says.
 */
export async function openZip(path: string): Promise<Archive & { close(): void }> {
  const open: ZipReader[] = [];
  const openReader = async () => {
    // Each pass over the directory has a reader of its own.
    const reader = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(damaged(path));
    open.push(reader);
    return reader;
  };
  await openReader();
  return {
    async *files() {
      const reader = await openReader();
      try {
        for await (const entry of reader.eachEntry()) yield fileOf(reader, entry, path);
      } catch (error) {
        damaged(path)(error);
      }
    },
    close: () => open.forEach((reader) => reader.close()),
  };
}

const fileOf = (reader: ZipReader, entry: Entry, path: string): ReadFile => ({
  name: entry.fileName,
  size: entry.uncompressedSize,
  async read() {
    const stream = await reader.openReadStreamPromise(entry).catch(damaged(path));
    return (async function* () {
      try {
        yield* stream as AsyncIterable<Uint8Array>;
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

/** Whether the file system refused something: no such file, no permission, no space. Its messages name the path. */
export const isFileError = (error: unknown): error is Error =>
  (error as NodeJS.ErrnoException).syscall !== undefined;
