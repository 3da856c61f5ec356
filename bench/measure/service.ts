import { join } from "node:path";
import {
  createPostgresBlobs,
  createPostgresQueue,
  createPostgresSignals,
  createPostgresStorage,
} from "@letterslot/adapter-postgres";
import {
  createSqliteBlobs,
  createSqliteQueue,
  createSqliteSignals,
  createSqliteStorage,
} from "@letterslot/adapter-sqlite";
import type { LetterslotConfig } from "@letterslot/core";

/** The storage of a service: SQLite in a folder, as the server uses, or a shared PostgreSQL. */
export type StorageLocation = { folder: string } | { database_url: string };

/** The ports of a service that hold state. */
export type Engine = Pick<LetterslotConfig, "storage" | "blobs" | "queue" | "signals">;

/** Opens these ports. */
export async function openEngine(place: StorageLocation): Promise<Engine> {
  if ("folder" in place) {
    const storage = createSqliteStorage({ path: join(place.folder, "letterslot.db"), exclusive: true });
    const blobs = createSqliteBlobs({ storage, folder: join(place.folder, "blobs") });
    return { storage, blobs, queue: createSqliteQueue(), signals: createSqliteSignals() };
  }
  const storage = await createPostgresStorage({ connectionString: place.database_url });
  const [queue, signals] = [createPostgresQueue({ storage }), createPostgresSignals({ storage })];
  return { storage, blobs: createPostgresBlobs({ storage }), queue, signals };
}

const nowhere = () => Promise.reject(new Error("a benchmark makes no connections"));

/** The configuration of a service on an engine, with no connections to the outside but the given ones. */
export function createConfig(engine: Engine, ways: Partial<LetterslotConfig> = {}): LetterslotConfig {
  return {
    ...engine,
    transport: { name: "none", send: nowhere, close: async () => {} },
    webhookHttp: { refusal: () => null, post: nowhere, get: nowhere, file: nowhere, close: async () => {} },
    senderAuth: { check: nowhere },
    encryptionKeys: [new Uint8Array(32)],
    mailDomain: "agents.example.org",
    ...ways,
  };
}
