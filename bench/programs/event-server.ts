import { join } from "node:path";
import { createWebhookHttp } from "@letterslot/adapter-http";
import { createSqliteBlobs, createSqliteQueue, createSqliteSignals, createSqliteStorage } from "@letterslot/adapter-sqlite";
import { createLetterslot, type Letterslot } from "@letterslot/core";
import { unitOfWork } from "../../packages/core/src/unit-of-work.ts";
import { createServer } from "../../packages/server/src/app.ts";
import { listenHttp } from "../../packages/server/src/http.ts";
import { sharedNow } from "../measure/clock.ts";
import { answerCalls } from "../measure/program.ts";

let service: Letterslot | undefined;
let account_id = "";
let committed_at = 0;

/** The calls of this program: the service over HTTP, which notes when its own writes were committed. */
export const calls = {
  /** Listens; answers the keys of an account that events happen in, and of one where nothing does. */
  async listen({ folder }: { folder: string }) {
    const storage = createSqliteStorage({ path: join(folder, "letterslot.db") });
    const signals = createSqliteSignals();
    service = createLetterslot({
      storage,
      blobs: createSqliteBlobs({ storage, folder: join(folder, "blobs") }),
      queue: createSqliteQueue(),
      signals: {
        ...signals,
        publish(names) {
          // Waiting requests are woken right after the commit.
          committed_at = sharedNow();
          return signals.publish(names);
        },
      },
      transport: { name: "none", send: () => Promise.reject(new Error("nothing is sent here")), close: async () => {} },
      webhookHttp: createWebhookHttp(),
      senderAuth: { check: () => Promise.reject(new Error("nothing comes in here")) },
      encryption_keys: [new Uint8Array(32)],
    });
    const publicly = service.as({ type: "public", ip: null });
    const [busy, quiet] = [
      await publicly.accounts.onboard({ username: "busy" }),
      await publicly.accounts.onboard({ username: "quiet" }),
    ];
    account_id = busy.account_id;
    const http = await listenHttp("127.0.0.1", 0);
    http.serve(createServer({ letterslot: service }));
    return { port: http.port, busy: busy.api_key, quiet: quiet.api_key };
  },
  /** Writes one event; answers when it was committed. */
  async write() {
    if (service === undefined) throw new Error("listen first");
    const { parts } = service;
    await unitOfWork(parts, account_id, parts.clock.now(), async (work) => {
      work.publish({ type: "message.received", inbox_id: null, data: { message: { id: "msg_1" } } });
    });
    return committed_at;
  },
};

answerCalls(calls);
