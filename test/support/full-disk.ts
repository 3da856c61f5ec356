import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, closeSync, mkdtempSync, openSync, realpathSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { faultyDisk } from "./cuttable-disk.ts";
import { ownPostgres } from "./postgres-server.ts";

/** A disk that can be made full and empty again while a server works on it. */
export interface FullDisk {
  /** What makes the server work on it. */
  environment: Record<string, string>;
  /** Leaves no room for anything more. */
  fill(server: { pid: number }): void;
  /** Gives the room back. */
  free(server: { pid: number }): void;
  remove(): unknown;
}

const megabytes = 24;

/** Whether this user may mount a small file system of its own. */
export const canMount = process.platform === "linux" && tried();
/** Whether the system can limit the files of another process. */
export const canLimit = process.platform === "linux" && spawnSync("prlimit", ["--version"]).status === 0;

/** A file system of 24 MB in memory, filled by a file of its own. */
export function smallDisk(): FullDisk {
  const folder = mkdtempSync(join(tmpdir(), "letterslot-disk-"));
  mount(folder);
  const ballast = join(folder, "ballast");
  return {
    environment: { DATA_DIR: join(folder, "data") },
    fill() {
      const file = openSync(ballast, "w");
      for (const size of [65_536, 4_096, 1]) fillBy(file, Buffer.alloc(size));
      closeSync(file);
    },
    free: () => rmSync(ballast),
    remove() {
      execFileSync("umount", ["--lazy", folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A limit on the size of files: nothing can be written behind the first byte of any. */
export function fileSizeLimit(): FullDisk {
  const limit = ({ pid }: { pid: number }, size: string) =>
    execFileSync("prlimit", ["--pid", String(pid), `--fsize=${size}:unlimited`]);
  return {
    environment: {},
    fill: (server) => void limit(server, "1"),
    free: (server) => void limit(server, "unlimited"),
    remove() {},
  };
}

/** A PostgreSQL that has no room for more of its tables. */
export async function fullTables(): Promise<FullDisk> {
  const home = mkdtempSync(join(realpathSync(tmpdir()), "letterslot-tables-"));
  chmodSync(home, 0o755);
  const data = join(home, "data");
  const tables = faultyDisk(join(data, "base"));
  const postgres = await ownPostgres({ data, environment: tables.environment });
  return {
    environment: { DATABASE_URL: postgres.url, ENCRYPTION_KEY: randomBytes(32).toString("hex") },
    fill: () => tables.fault({ writes: "ENOSPC" }),
    free: () => tables.fault(),
    async remove() {
      await postgres.end();
      tables.remove();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function fillBy(file: number, chunk: Buffer): void {
  for (;;) {
    try {
      if (writeSync(file, chunk) < chunk.length) return;
    } catch {
      return;
    }
  }
}

function mount(folder: string): void {
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], { stdio: "ignore" });
}

function tried(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "letterslot-disk-"));
  try {
    mount(folder);
    execFileSync("umount", [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
