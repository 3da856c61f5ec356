import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPostgresStorage } from "../../packages/adapter-postgres/src/index.ts";
import { freshDatabase } from "../../packages/adapter-postgres/test/fresh-database.ts";
import { createSqliteStorage } from "../../packages/adapter-sqlite/src/index.ts";
import type { Storage } from "../../packages/core/src/ports/storage.ts";
import { createMemoryStorage } from "../../packages/core/testing/index.ts";
import { casesOf } from "./case-count.ts";

/** A new, empty storage. */
export interface ProofStorage {
  storage: Storage;
  remove(): Promise<void>;
}

export type ProofStorageName = "memory" | "SQLite" | "PostgreSQL";

/** The storages on which proofs of the storage promises run. */
export const proofStorages: Record<ProofStorageName, () => Promise<ProofStorage>> = {
  async memory() {
    const storage = createMemoryStorage();
    return { storage, remove: () => storage.close() };
  },
  async SQLite() {
    const folder = mkdtempSync(join(tmpdir(), "letterslot-proof-"));
    const storage = createSqliteStorage({ path: join(folder, "letterslot.db") });
    return {
      storage,
      async remove() {
        await storage.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
  async PostgreSQL() {
    const database = await freshDatabase();
    const storage = await createPostgresStorage({ connectionString: database.url });
    return {
      storage,
      async remove() {
        await storage.close();
        await database.drop();
      },
    };
  },
};

/**
 * The storages on which a proof over all of them runs: the embedded one in `pnpm test`, and all with
 * `pnpm test -- --only storages` and in `pnpm soak`.
 */
export const proofStorageNames: readonly ProofStorageName[] = casesOf<ProofStorageName[]>(
  ["SQLite"],
  ["memory", "SQLite", "PostgreSQL"],
);
