import { randomBytes } from "node:crypto";
import { linkSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import Database from "better-sqlite3";
import { type DataDir, DataDirUnusable } from "./data-dir.ts";

/** A doubt about the file system below a folder, and what to do about it. */
export interface Doubt {
  says: string;
  fix: string;
}

const LOCAL = "Set DATA_DIR to a folder on a local disk.";
const GONE = (kind: string, when: string, fix: string): Doubt => ({
  says: `DATA_DIR is ${kind}: all mail, keys and accounts are gone ${when}.`,
  fix,
});
const IN_MEMORY = GONE("in memory", "when this machine restarts", LOCAL);
const OVER_A_NETWORK: Doubt = {
  says: "DATA_DIR is on a network file system, where SQLite's log and locks can fail and mail can be lost.",
  fix: `${LOCAL} For several machines set DATABASE_URL.`,
};

/** Kinds of file systems by their number in Linux (`statfs(2)`). */
const DOUBTS: Readonly<Record<number, Doubt>> = {
  0x01021994: IN_MEMORY, // tmpfs
  0x858458f6: IN_MEMORY, // ramfs
  0x794c7630: GONE(
    "in a container's own layer",
    "with the container",
    "Mount a volume there: docker run -v data:/data.",
  ),
  0x6969: OVER_A_NETWORK, // NFS
  0x517b: OVER_A_NETWORK, // SMB
  0xff534d42: OVER_A_NETWORK, // CIFS
  0xfe534d42: OVER_A_NETWORK, // SMB 2
  0x01021997: OVER_A_NETWORK, // 9P, as between a virtual machine and its host
  0x786f4256: OVER_A_NETWORK, // VirtualBox's shared folders
  0x00c36400: OVER_A_NETWORK, // Ceph
  0x65735546: {
    says: "DATA_DIR is on a FUSE file system. Many of these keep no locks, and don't sync what they say is written.",
    fix: LOCAL,
  },
};

/** Returns the doubt about a kind of file system; undefined for a local disk and for unknown kinds. */
export const doubtOf = (kind: number): Doubt | undefined => DOUBTS[kind];

/** Returns the doubt about the file system of a folder. */
export const doubtOfDisk = (path: string): Doubt | undefined =>
  process.platform === "linux" ? doubtOf(statfsSync(path).type) : undefined;

const FULL: Unusable = {
  why: "is on a full file system",
  fix: "Free space on it, or set DATA_DIR to a folder on another.",
};
const READ_ONLY: Unusable = {
  why: "is on a read-only file system",
  fix: "Set it to a folder that this user can write to.",
};
const NO_LOG: Unusable = {
  why: "is on a file system on which SQLite can't keep its log, such as one over a network",
  fix: LOCAL,
};

/** The fault of a folder, as the end of a sentence, and what to do about it. */
interface Unusable {
  why: string;
  fix: string;
}

/** Why a file system can't hold the data, from the error of `tryDisk`'s attempt, and what to do. */
export function whyUnusable({
  code = "",
  message,
}: {
  code?: string | undefined;
  message: string;
}): Unusable {
  if (code === "ENOSPC" || code === "EDQUOT" || code === "SQLITE_FULL") return FULL;
  if (code === "EROFS" || code.startsWith("SQLITE_READONLY")) return READ_ONLY;
  if (
    code === NO_WAL ||
    /^SQLITE_(?:IOERR_(?:SHM|LOCK|UNLOCK|RDLOCK|CHECKRES|MMAP)|PROTOCOL|BUSY)/.test(code)
  )
    return NO_LOG;
  if (/^(?:EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS|EMLINK)$/.test(code))
    return { why: `is on a file system without hard links (${code})`, fix: LOCAL };
  return { why: `can't hold the data (${code || message})`, fix: LOCAL };
}

const NO_WAL = "NO_WAL";

/**
 * Tries on small files what SQLite and the server need of a file system: a log with its shared memory, a second reader,
 * locks, and hard links. Nothing of it stays. Throws `DataDirUnusable`, which says what is wrong and what to do.
 */
export function tryDisk(dataDir: DataDir): void {
  const path = dataDir.file(`trial-${randomBytes(6).toString("hex")}`);
  try {
    attempt(path);
  } catch (error) {
    const { why, fix } = whyUnusable(error as NodeJS.ErrnoException);
    throw new DataDirUnusable(`DATA_DIR is ${JSON.stringify(dataDir.path)}, which ${why}.`, fix, {
      cause: error,
    });
  } finally {
    for (const ending of ["", "-wal", "-shm", "-journal", ".link"])
      rmSync(`${path}${ending}`, { force: true });
  }
}

function attempt(path: string): void {
  writeFileSync(path, "", { mode: 0o600, flag: "wx" });
  linkSync(path, `${path}.link`);
  const writer = new Database(path);
  let reader: Database.Database | undefined;
  try {
    // Fails or stays `delete` where the programs of a machine can't share memory over a file.
    const mode = writer.pragma("journal_mode = wal", { simple: true });
    if (mode !== "wal") throw Object.assign(new Error(`the log is ${String(mode)}`), { code: NO_WAL });
    // Nothing here is worth waiting for the disk.
    writer.pragma("synchronous = off");
    writer.exec("create table trial (value); insert into trial values (zeroblob(32768))");
    reader = new Database(path, { readonly: true });
    reader.prepare("select length(value) from trial").get();
  } finally {
    reader?.close();
    writer.close();
  }
}
