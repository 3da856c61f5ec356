// Letterslot as part of a Hono application: its API is mounted under /mail, beside the application's own
// routes. Run it with `node index.ts`, then open http://localhost:3000/mail/docs
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { createWebhookHttp } from "@letterslot/adapter-http";
import {
  createSqliteBlobs,
  createSqliteQueue,
  createSqliteSignals,
  createSqliteStorage,
} from "@letterslot/adapter-sqlite";
import { createLetterslot } from "@letterslot/core";
import { createServer } from "@letterslot/server";
import { Hono } from "hono";

const port = Number(process.env["PORT"] ?? 3000);
const folder = process.env["DATA_DIR"] ?? "./data";
mkdirSync(folder, { recursive: true });

// 1. The service, as in the example embed-core.
const storage = createSqliteStorage({ path: join(folder, "letterslot.db") });
const letterslot = createLetterslot({
  storage,
  blobs: createSqliteBlobs({ storage, folder: join(folder, "blobs") }),
  queue: createSqliteQueue(),
  signals: createSqliteSignals(),
  webhookHttp: createWebhookHttp(),
  // For real mail use createSmtpTransport and createSenderAuth of @letterslot/adapter-smtp.
  transport: {
    name: "none",
    send: async ({ envelope }) =>
      envelope.rcpt_to.map((recipient) => ({ recipient, outcome: "accepted", detail: "discarded" })),
    close: async () => {},
  },
  senderAuth: {
    check: async () => ({
      spf: { result: "none", domain: null },
      dkim: [],
      arc: null,
      dmarc: null,
      dmarc_temperror: false,
      repeated_headers: [],
    }),
  },
  encryption_keys: [new Uint8Array(32).fill(7)], // your own 32 secret bytes; never change them
  options: { base_url: `http://localhost:${port}/mail` },
});

// 2. `createServer` returns a Hono app; mount it where you like. The application's own routes and middleware
//    stay as they are.
const app = new Hono();
app.get("/", (c) =>
  c.text("The application's own page. The mail API is at /mail/api/v1, its documentation at /mail/docs."),
);
app.route("/mail", createServer({ letterslot }));

// 3. Serve requests, run a worker, and sweep once a minute.
const stopWork = letterslot.work();
const sweeping = setInterval(() => void letterslot.sweep(), 60_000);
const server = serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, (info) => {
  console.log(`listening on http://localhost:${info.port}`);
});

// 4. A clean shutdown: accept no new requests, finish the work in progress, close the files.
process.once("SIGTERM", () => void stop()).once("SIGINT", () => void stop());
async function stop(): Promise<void> {
  clearInterval(sweeping);
  await new Promise((resolve) => server.close(resolve));
  await stopWork();
  await Promise.all([
    letterslot.services.queue.close(),
    letterslot.services.signals.close(),
    letterslot.services.webhookHttp.close(),
  ]);
  await storage.close();
}
