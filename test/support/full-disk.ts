import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, closeSync, mkdtempSync, openSync, realpathSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { faultyDisk } from "./cuttable-disk.ts";
import { startSeparatePostgres } from "./postgres-server.ts";

/** A disk that can be filled and freed while a server uses it. */
export interface FullDisk {
  /** The environment that makes a server use it. */
  environment: Record<string, string>;
  /** Fills the disk. */
  fill(server: { pid: number }): void;
  /** Frees the space. */
  free(server: { pid: number }): void;
  remove(): unknown;
}

const MEGABYTES = 24;

/** Whether this user may mount a small file system. */
export const canMount = process.platform === "linux" && tryMount();
/** Whether the system can limit the file size of another process. */
export const canLimit = process.platform === "linux" && spawnSync("prlimit", ["--version"]).status === 0;

/** A 24 MB in-memory file system, filled by a ballast file. */
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

/** A file-size limit of one byte. */
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

/** A PostgreSQL without space for its tables. */
export async function fullTables(): Promise<FullDisk> {
  const home = mkdtempSync(join(realpathSync(tmpdir()), "letterslot-tables-"));
  chmodSync(home, 0o755);
  const data = join(home, "data");
  const tables = faultyDisk(join(data, "base"));
  const postgres = await startSeparatePostgres({ data, environment: tables.environment });
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
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${MEGABYTES}m`, "tmpfs", folder], { stdio: "ignore" });
}

function tryMount(): boolean {
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
