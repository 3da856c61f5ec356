import { randomBytes } from "node:crypto";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPostgresStorage } from "../../packages/adapter-postgres/src/index.ts";
import { type CuttableDisk, cuttableDisk } from "./cuttable-disk.ts";
import { createDkimKey } from "./dkim-key.ts";
import { startSeparatePostgres } from "./postgres-server.ts";
import {
  auditDatabase,
  auditFolder,
  findDamage,
  findDatabaseDamage,
  type StoredAudit,
} from "./stored-audit.ts";
import type { DiskNature, Unsynced } from "./unsynced-disk.ts";

/** A server's storage on a disk that can lose power. */
export interface CuttableStorage {
  disk: CuttableDisk;
  /** The environment that makes a server use it. */
  environment: Record<string, string>;
  /** The first moment in the disk's journal at which the storage can be opened. */
  made: number;
  /** Cuts the power and restarts the database, if any. The server must have ended. */
  cut(): Promise<Unsynced>;
  /** Lists the damage found now. */
  findDamage(): Promise<string[]>;
  /** Stops the database, if any, gracefully. */
  rest(): Promise<void>;
  /**
   * Checks the state that a power cut at a moment would leave of everything acknowledged before; for a disk that was
   * not cut.
   */
  auditAt(
    moment: number,
    acknowledged: readonly string[],
    unlike?: Partial<DiskNature>,
  ): Promise<StoredAudit>;
  remove(): Promise<void>;
}

/** A server's data folder with SQLite. */
export async function cuttableFolder(random: () => number): Promise<CuttableStorage> {
  const disk = cuttableDisk({ random });
  const data = join(disk.folder, "data");
  return {
    disk,
    environment: { ...disk.environment, DATA_DIR: data },
    made: disk.moment(),
    cut: async () => disk.cut(),
    findDamage: async () => findDamage(data),
    rest: async () => {},
    auditAt: (moment, acknowledged, unlike) =>
      withFolderAfterCut(disk, moment, unlike, (folder) => auditFolder(join(folder, "data"), acknowledged)),
    remove: async () => disk.remove(),
  };
}

/** Little memory and log, so that pages and files are written continuously rather than at the end. */
const BUSY_SETTINGS = [
  "shared_buffers=1MB",
  "max_wal_size=3MB",
  "min_wal_size=2MB",
  "checkpoint_completion_target=0",
];

/** A PostgreSQL data folder; the server's own files are elsewhere. */
export async function cuttablePostgres(random: () => number): Promise<CuttableStorage> {
  // It doesn't sync the folder of new tables: it relies on file systems that keep a file's name with the file.
  const disk = cuttableDisk({ random, names_with_files: true });
  const keys = mkdtempSync(join(tmpdir(), "letterslot-keys-"));
  const postgres = await startSeparatePostgres({
    data: disk.folder,
    environment: disk.environment,
    durable: true,
    settings: BUSY_SETTINGS,
  });
  return {
    disk,
    environment: {
      DATABASE_URL: postgres.url,
      ENCRYPTION_KEY: randomBytes(32).toString("hex"),
      DKIM_KEY: createDkimKey(keys),
    },
    made: disk.moment(),
    async cut() {
      await postgres.stop();
      const unsynced = disk.cut();
      await postgres.start();
      return unsynced;
    },
    async findDamage() {
      const storage = await createPostgresStorage({ connectionString: postgres.url });
      try {
        return await findDatabaseDamage(storage);
      } finally {
        await storage.close();
      }
    },
    rest: postgres.end,
    auditAt: (moment, acknowledged, unlike) =>
      withFolderAfterCut(disk, moment, unlike, async (data) => {
        const left = await startSeparatePostgres({ data });
        try {
          return await auditDatabase(left.url, acknowledged);
        } finally {
          await left.end();
        }
      }),
    async remove() {
      await postgres.end();
      disk.remove();
      rmSync(keys, { recursive: true, force: true });
    },
  };
}

async function withFolderAfterCut<T>(
  disk: CuttableDisk,
  moment: number,
  unlike: Partial<DiskNature> | undefined,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "letterslot-cut-"));
  try {
    disk.leave(moment, folder, unlike);
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
