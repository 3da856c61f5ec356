import { join } from "node:path";
import { createWebhookHttp } from "@letterslot/adapter-http";
import {
  createPostgresBlobs,
  createPostgresQueue,
  createPostgresSignals,
  createPostgresStorage,
} from "@letterslot/adapter-postgres";
import { createSqliteBlobs, createSqliteQueue, createSqliteSignals, createSqliteStorage } from "@letterslot/adapter-sqlite";
import { createLetterslot, type Letterslot, type LetterslotConfig } from "@letterslot/core";
import { unitOfWork } from "../../packages/core/src/unit-of-work.ts";
import { createServer } from "../../packages/server/src/app.ts";
import { listenHttp } from "../../packages/server/src/http.ts";
import { sharedNow } from "../measure/clock.ts";
import { answerCalls } from "../measure/program.ts";

/** What the service stands on: SQLite in a folder, or a PostgreSQL that further processes share. */
export type EventStore = { folder: string } | { database_url: string };

let service: Letterslot | undefined;
let committed_at = 0;

/** The calls of this program: the service over HTTP, which notes when its own writes were committed. */
export const calls = {
  /** Opens the service on its storage. */
  async open(store: EventStore) {
    const engine = "folder" in store ? sqliteIn(store.folder) : await postgresAt(store.database_url);
    service = createLetterslot({
      ...engine,
      signals: {
        ...engine.signals,
        publish(names) {
          // Waiting requests are woken right after the commit.
          committed_at = sharedNow();
          return engine.signals.publish(names);
        },
      },
      transport: { name: "none", send: () => Promise.reject(new Error("nothing is sent here")), close: async () => {} },
      webhookHttp: createWebhookHttp(),
      senderAuth: { check: () => Promise.reject(new Error("nothing comes in here")) },
      encryption_keys: [new Uint8Array(32)],
    });
  },
  /** Makes an account; answers its id and key. */
  async onboard(username: string) {
    const { account_id, api_key } = await opened().as({ type: "public", ip: null }).accounts.onboard({ username });
    return { account_id, api_key };
  },
  /** Listens; answers the port. */
  async listen() {
    const http = await listenHttp("127.0.0.1", 0);
    http.serve(createServer({ letterslot: opened() }));
    return http.port;
  },
  /** Writes one event of the account; answers when it was committed. */
  async write(account_id: string) {
    const { parts } = opened();
    await unitOfWork(parts, account_id, parts.clock.now(), async (work) => {
      work.publish({ type: "message.received", inbox_id: null, data: { message: { id: "msg_1" } } });
    });
    return committed_at;
  },
};

type Engine = Pick<LetterslotConfig, "storage" | "blobs" | "queue" | "signals">;

function sqliteIn(folder: string): Engine {
  const storage = createSqliteStorage({ path: join(folder, "letterslot.db") });
  const blobs = createSqliteBlobs({ storage, folder: join(folder, "blobs") });
  return { storage, blobs, queue: createSqliteQueue(), signals: createSqliteSignals() };
}

async function postgresAt(connection_string: string): Promise<Engine> {
  const storage = await createPostgresStorage({ connection_string });
  const [queue, signals] = [createPostgresQueue({ storage }), createPostgresSignals({ storage })];
  return { storage, blobs: createPostgresBlobs({ storage }), queue, signals };
}

function opened(): Letterslot {
  if (service === undefined) throw new Error("open first");
  return service;
}

answerCalls(calls);
