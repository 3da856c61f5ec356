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

/** A fault of a disk. */
export interface DiskFault {
  /** The duration of a sync. */
  milliseconds?: number;
  /** The error of each sync, or of every `every`th. */
  syncs?: "EIO" | "ENOSPC";
  every?: number;
  /** The error of each write. */
  writes?: "ENOSPC";
}

/** A disk whose faults affect processes started with `environment`. */
export interface FaultyDisk {
  environment: Record<string, string>;
  /** Sets the fault from now on, or clears it. */
  fault(fault?: DiskFault): void;
  remove(): void;
}

/** A folder on a disk that can lose power. */
export interface CuttableDisk extends FaultyDisk {
  /** An absolute path. */
  folder: string;
  /** Cuts the power: the folder then holds what survives. Every process that writes there must have ended. */
  cut(): Unsynced;
  /** The current position in the journal. */
  moment(): number;
  /**
   * Writes the state that a power cut at a moment would have left to an empty folder, for a disk that was not cut.
   * `unlike` overrides the disk's nature for this cut.
   */
  leave(moment: number, target: string, unlike?: Partial<DiskNature>): void;
  /** Paths that differ from the journal, because it missed changes. */
  findUnnoted(): string[];
}

const SOURCE = fileURLToPath(new URL("journalled-disk.c", import.meta.url));

/** Simulates a faulty disk for a folder, given by an absolute path that need not exist yet. */
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
      // The library can't intercept io_uring.
      UV_USE_IO_URING: "0",
    },
    fault: (fault) => writeFault(faults, fault),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** Creates a disk with an empty folder. Throws without Linux or a C compiler. */
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
      // The next note must follow the last complete one.
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
    findUnnoted: () => replay().differences(),
    remove() {
      faulty.remove();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Compiles the library that processes preload, and returns its path. */
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
    SOURCE,
    "-ldl",
    "-lpthread",
  ]);
  if (status !== 0)
    throw new Error(`${compiler} can't compile ${SOURCE}: ${error?.message ?? stderr.toString()}`);
  return library;
}

function writeFault(path: string, { milliseconds = 0, syncs, every = 1, writes }: DiskFault = {}): void {
  const number = (name: "EIO" | "ENOSPC" | undefined) => (name === undefined ? 0 : constants.errno[name]);
  // Atomic: a concurrent reader sees either the old or the new file.
  writeFileSync(`${path}.new`, [milliseconds, number(syncs), every, number(writes)].join(" "));
  renameSync(`${path}.new`, path);
}
