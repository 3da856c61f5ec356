import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readJournal } from "./disk-journal.ts";
import { type DiskNature, emptyDisk, readDisk, type Unsynced, type UnsyncedDisk } from "./unsynced-disk.ts";

/** How a disk misbehaves. */
export interface DiskFault {
  /** How long a sync takes. */
  milliseconds?: number;
  /** What each sync fails with, or each `every`th. */
  syncs?: "EIO" | "ENOSPC";
  every?: number;
  /** What each write fails with. */
  writes?: "ENOSPC";
}

/** A disk that misbehaves to the processes that are started with `environment`. */
export interface FaultyDisk {
  environment: Record<string, string>;
  /** From now on the disk does this; without a fault it is well. */
  fault(fault?: DiskFault): void;
  remove(): void;
}

/** A folder on a disk whose power can be cut. */
export interface CuttableDisk extends FaultyDisk {
  /** An absolute path. */
  folder: string;
  /**
   * Cuts the power, after which the folder holds what that leaves. Every process that writes there must be
   * gone.
   */
  cut(): Unsynced;
  /** How far the journal has come. */
  moment(): number;
  /**
   * Writes into an empty folder what a power cut would have left at a moment; for a disk that was not cut.
   * `unlike` says what about that cut is unlike the disk's nature.
   */
  leave(moment: number, target: string, unlike?: Partial<DiskNature>): void;
  /** Paths that are not what the journal says: changes that it missed. */
  unnoted(): string[];
}

const source = fileURLToPath(new URL("journalled-disk.c", import.meta.url));

/** Lets what lies in a folder, whose path is absolute and need not be there yet, be on a faulty disk. */
export function faultyDisk(folder: string): FaultyDisk {
  const home = mkdtempSync(join(tmpdir(), "letterslot-faults-"));
  // PostgreSQL runs as another user when the tests run as root.
  chmodSync(home, 0o755);
  const faults = join(home, "faults");
  return {
    environment: {
      LD_PRELOAD: compile(home),
      JOURNALLED_FOLDER: folder,
      JOURNALLED_FAULTS: faults,
      // Through io_uring nothing would be seen.
      UV_USE_IO_URING: "0",
    },
    fault: (fault) => writeFault(faults, fault),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** Makes a disk, an empty folder. Throws where there is no Linux or no C compiler. */
export function cuttableDisk(nature: DiskNature): CuttableDisk {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "letterslot-disk-")));
  const [folder, journal] = [join(home, "folder"), join(home, "journal")];
  const faulty = faultyDisk(folder);
  mkdirSync(folder);
  writeFileSync(journal, "");
  // PostgreSQL runs as another user when the tests run as root.
  chmodSync(home, 0o755);
  chmodSync(journal, 0o666);
  let disk = readDisk(folder, nature);
  let read = 0;
  const replay = (): UnsyncedDisk => {
    for (const note of readJournal(readFileSync(journal), read)) {
      disk.apply(note);
      read = note.moment;
    }
    return disk;
  };
  return {
    folder,
    environment: { ...faulty.environment, JOURNALLED_FILE: journal },
    fault: faulty.fault,
    cut() {
      const unsynced = replay().unsynced();
      // What comes next follows the last whole note.
      truncateSync(journal, read);
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
      disk.writeAfterCut(folder);
      disk = readDisk(folder, nature);
      return unsynced;
    },
    moment: () => statSync(journal).size,
    leave(moment, target, unlike = {}) {
      const other = emptyDisk(folder, { ...nature, ...unlike });
      for (const note of readJournal(readFileSync(journal).subarray(0, moment))) other.apply(note);
      other.writeAfterCut(target);
    },
    unnoted: () => replay().differences(),
    remove() {
      faulty.remove();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Compiles the library that processes load, and answers its path. */
function compile(folder: string): string {
  if (process.platform !== "linux")
    throw new Error("A disk with faults needs Linux: run its proofs in a container.");
  const library = join(folder, "journalled-disk.so");
  const compiler = process.env["CC"] ?? "cc";
  const { status, error, stderr } = spawnSync(compiler, [
    "-O1",
    "-shared",
    "-fPIC",
    "-o",
    library,
    source,
    "-ldl",
    "-lpthread",
  ]);
  if (status !== 0)
    throw new Error(`${compiler} can't compile ${source}: ${error?.message ?? stderr.toString()}`);
  return library;
}

function writeFault(path: string, { milliseconds = 0, syncs, every = 1, writes }: DiskFault = {}): void {
  const number = (name: "EIO" | "ENOSPC" | undefined) => (name === undefined ? 0 : constants.errno[name]);
  // A process that reads it just now sees the whole of the old or of the new.
  writeFileSync(`${path}.new`, [milliseconds, number(syncs), every, number(writes)].join(" "));
  renameSync(`${path}.new`, path);
}
