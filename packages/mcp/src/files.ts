import { constants, type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises";
import { basename, isAbsolute, join, relative, resolve, sep } from "node:path";

/** A file that was opened, by one handle. */
export interface OpenedFile {
  filename: string;
  size_bytes: number;
  /** Another one after a change. */
  version: string;
  /** Its bytes; ends the handle. */
  bytes(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Opens a file within one of these folders, once: what is checked is what is read. Neither the file nor a folder between
 * may be a link, and the file has no other name; for all others it returns undefined.
 */
export async function openWithin(folders: readonly string[], path: string): Promise<OpenedFile | undefined> {
  for (const named of folders) {
    // A folder that isn't there yet holds no file.
    const folder = await realpath(named).catch(() => undefined);
    if (folder === undefined) continue;
    // A link above the folder, such as /tmp on macOS, is the operator's own: its path may be written either way.
    const inside = isAbsolute(path)
      ? (pathWithin(folder, path) ?? pathWithin(resolve(named), path))
      : pathWithin(folder, join(folder, path));
    if (inside === undefined) continue;
    const file = await openPlain(folder, inside);
    if (file !== undefined) return file;
  }
  return undefined;
}

function pathWithin(folder: string, path: string): string | undefined {
  const inside = relative(folder, resolve(path));
  const outside = inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return outside ? undefined : inside;
}

async function openPlain(folder: string, inside: string): Promise<OpenedFile | undefined> {
  const parts = inside.split(sep);
  for (const index of parts.keys()) {
    // What can't be looked at can't be sent, and which of it is there is nobody's business.
    const found = await lstat(join(folder, ...parts.slice(0, index + 1))).catch(() => undefined);
    if (found === undefined) return undefined;
    if (found.isSymbolicLink()) return undefined;
  }
  const wanted = join(folder, inside);
  // Not blocking: a pipe would never open. A link put there since fails here.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(wanted, flags).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const facts = await handle.stat();
    const plain = facts.isFile() && facts.nlink === 1 && (await pathOf(handle, wanted)) === wanted;
    if (!plain) {
      await handle.close();
      return undefined;
    }
    return {
      ...{ filename: basename(wanted), size_bytes: facts.size },
      version: [facts.dev, facts.ino, facts.size, facts.mtimeMs].join(" "),
      bytes: () => handle.createReadStream({ highWaterMark: 256 * 1024 }),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Where the opened file really is, as the system says of the handle; elsewhere than on Linux, by its name and number. */
async function pathOf(handle: FileHandle, wanted: string): Promise<string | undefined> {
  // Only Linux says so.
  const said = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
  if (said !== undefined) return said;
  const [opened, named] = [await handle.stat(), await lstat(wanted)];
  return opened.dev === named.dev && opened.ino === named.ino ? realpath(wanted) : undefined;
}
