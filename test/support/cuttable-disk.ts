import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
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

/** A folder on a disk whose power can be cut, for processes that are started with `environment`. */
export interface CuttableDisk {
  /** An absolute path. */
  folder: string;
  environment: Record<string, string>;
  /** From now on the disk does this; without a fault it is well. */
  fault(fault?: DiskFault): void;
  /** Cuts the power, after which the folder holds what that leaves. Every process that writes there must be gone. */
  cut(): Unsynced;
  /** How far the journal has come. */
  moment(): number;
  /** Writes into an empty folder what a power cut would have left at a moment; for a disk that was not cut. */
  leave(moment: number, target: string, nature: DiskNature): void;
  /** Paths that are not what the journal says: changes that it missed. */
  unnoted(): string[];
  remove(): void;
}

const source = fileURLToPath(new URL("journalled-disk.c", import.meta.url));

/** Whether processes can be made to write a journal here. */
export const canJournal = process.platform === "linux";

/** Makes a disk, an empty folder; `random` decides what chance decides. Throws when there is no C compiler. */
export function cuttableDisk(random: () => number): CuttableDisk {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "letterslot-disk-")));
  const [folder, journal, faults] = ["folder", "journal", "faults"].map((name) => join(home, name)) as [string, string, string];
  mkdirSync(folder);
  writeFileSync(journal, "");
  let disk = readDisk(folder, { random });
  let read = 0;
  const replay = (): UnsyncedDisk => {
    const bytes = readFileSync(journal);
    for (const note of readJournal(bytes.subarray(read))) disk.apply(note);
    read = bytes.length;
    return disk;
  };
  return {
    folder,
    environment: {
      LD_PRELOAD: compiled(),
      JOURNALLED_FOLDER: folder,
      JOURNALLED_FILE: journal,
      JOURNALLED_FAULTS: faults,
      // Through io_uring nothing would be seen.
      UV_USE_IO_URING: "0",
    },
    fault: (fault) => writeFault(faults, fault),
    cut() {
      const unsynced = replay().unsynced();
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
      disk.writeAfterCut(folder);
      disk = readDisk(folder, { random });
      return unsynced;
    },
    moment: () => statSync(journal).size,
    leave(moment, target, nature) {
      const other = emptyDisk(folder, nature);
      for (const note of readJournal(readFileSync(journal).subarray(0, moment))) other.apply(note);
      other.writeAfterCut(target);
    },
    unnoted: () => replay().differences(),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** The library that processes load to write a journal, compiled once in each test process. */
let library: string | undefined;

function compiled(): string {
  if (library !== undefined) return library;
  const place = mkdtempSync(join(tmpdir(), "letterslot-journalled-"));
  process.on("exit", () => rmSync(place, { recursive: true, force: true }));
  const compiler = process.env["CC"] ?? "cc";
  const target = join(place, "journalled-disk.so");
  const { status, error, stderr } = spawnSync(compiler, ["-O1", "-shared", "-fPIC", "-o", target, source, "-ldl", "-lpthread"]);
  if (status !== 0) throw new Error(`${compiler} can't compile ${source}: ${error?.message ?? stderr.toString()}`);
  library = target;
  return target;
}

function writeFault(path: string, { milliseconds = 0, syncs, every = 1, writes }: DiskFault = {}): void {
  const number = (name: "EIO" | "ENOSPC" | undefined) => (name === undefined ? 0 : constants.errno[name]);
  // A process that reads it just now sees the whole of the old or of the new.
  writeFileSync(`${path}.new`, [milliseconds, number(syncs), every, number(writes)].join(" "));
  renameSync(`${path}.new`, path);
}
