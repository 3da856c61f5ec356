import { randomBytes } from "node:crypto";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPostgresStorage } from "../../packages/adapter-postgres/src/index.ts";
import { type CuttableDisk, cuttableDisk } from "./cuttable-disk.ts";
import { dkimKeyIn } from "./dkim-key.ts";
import { ownPostgres } from "./postgres-server.ts";
import { auditDatabase, auditFolder, damage, databaseDamage, type StoredAudit } from "./stored-audit.ts";
import type { DiskNature, Unsynced } from "./unsynced-disk.ts";

/** What a server stores things in, on a disk whose power can be cut. */
export interface CuttableStorage {
  disk: CuttableDisk;
  /** What makes a server use it. */
  environment: Record<string, string>;
  /** From this moment of the disk's journal on there is something to start with. */
  made: number;
  /** Cuts the power and starts what is there besides the server again. The server must be gone. */
  cut(): Promise<Unsynced>;
  /** What is wrong with it now. */
  damage(): Promise<string[]>;
  /** Ends what writes there besides the server, in order. */
  rest(): Promise<void>;
  /**
   * What a power cut at a moment of the disk's journal leaves of all that was acknowledged before; for a disk
   * that was not cut.
   */
  auditAt(
    moment: number,
    acknowledged: readonly string[],
    unlike?: Partial<DiskNature>,
  ): Promise<StoredAudit>;
  remove(): Promise<void>;
}

/** A server's own folder; the server runs on the disk. */
export async function cuttableFolder(random: () => number): Promise<CuttableStorage> {
  const disk = cuttableDisk({ random });
  const data = join(disk.folder, "data");
  return {
    disk,
    environment: { ...disk.environment, DATA_DIR: data },
    made: disk.moment(),
    cut: async () => disk.cut(),
    damage: async () => damage(data),
    rest: async () => {},
    auditAt: (moment, acknowledged, unlike) =>
      leaving(disk, moment, unlike, (folder) => auditFolder(join(folder, "data"), acknowledged)),
    remove: async () => disk.remove(),
  };
}

/** So little memory and log that pages and files come to the disk all the time, not only in the end. */
const busy = ["shared_buffers=1MB", "max_wal_size=3MB", "min_wal_size=2MB", "checkpoint_completion_target=0"];

/** A PostgreSQL; the server itself is elsewhere. */
export async function cuttablePostgres(random: () => number): Promise<CuttableStorage> {
  // It syncs no folder of new tables: it is made for file systems that keep a file's name with the file.
  const disk = cuttableDisk({ random, names_with_files: true });
  const keys = mkdtempSync(join(tmpdir(), "letterslot-keys-"));
  const postgres = await ownPostgres({
    data: disk.folder,
    environment: disk.environment,
    durable: true,
    settings: busy,
  });
  return {
    disk,
    environment: {
      DATABASE_URL: postgres.url,
      ENCRYPTION_KEY: randomBytes(32).toString("hex"),
      DKIM_KEY: dkimKeyIn(keys),
    },
    made: disk.moment(),
    async cut() {
      await postgres.stop();
      const unsynced = disk.cut();
      await postgres.start();
      return unsynced;
    },
    async damage() {
      const storage = await createPostgresStorage({ connection_string: postgres.url });
      try {
        return await databaseDamage(storage);
      } finally {
        await storage.close();
      }
    },
    rest: postgres.end,
    auditAt: (moment, acknowledged, unlike) =>
      leaving(disk, moment, unlike, async (data) => {
        const left = await ownPostgres({ data });
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

async function leaving<T>(
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
