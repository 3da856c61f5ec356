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

/**
 * What a service stands on: SQLite in a folder that is its own, as the server has it, or a PostgreSQL that
 * further processes share.
 */
export type Place = { folder: string } | { database_url: string };

/** The ports of a service that keep what it knows. */
export type Engine = Pick<LetterslotConfig, "storage" | "blobs" | "queue" | "signals">;

/** Opens the ports of a place. */
export async function engineAt(place: Place): Promise<Engine> {
  if ("folder" in place) {
    const storage = createSqliteStorage({ path: join(place.folder, "letterslot.db"), exclusive: true });
    const blobs = createSqliteBlobs({ storage, folder: join(place.folder, "blobs") });
    return { storage, blobs, queue: createSqliteQueue(), signals: createSqliteSignals() };
  }
  const storage = await createPostgresStorage({ connection_string: place.database_url });
  const [queue, signals] = [createPostgresQueue({ storage }), createPostgresSignals({ storage })];
  return { storage, blobs: createPostgresBlobs({ storage }), queue, signals };
}

const nowhere = () => Promise.reject(new Error("a benchmark goes nowhere"));

/** A service on an engine, without a way out or in but those that are given. */
export function configOn(engine: Engine, ways: Partial<LetterslotConfig> = {}): LetterslotConfig {
  return {
    ...engine,
    transport: { name: "none", send: nowhere, close: async () => {} },
    webhookHttp: { refusal: () => null, post: nowhere, close: async () => {} },
    senderAuth: { check: nowhere },
    encryption_keys: [new Uint8Array(32)],
    options: { mail_domain: "agents.example.org" },
    ...ways,
  };
}
