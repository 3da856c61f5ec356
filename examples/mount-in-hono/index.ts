// Letterslot as part of a Hono application: its API is mounted under /mail, beside the application's own
// routes. Run it with `node index.ts`, then open http://localhost:3000/mail/docs
import { serve } from "@hono/node-server";
import { createWebhookHttp } from "@letterslot/adapter-http";
import { createCaptureTransport, createDns, createSenderAuth } from "@letterslot/adapter-smtp";
import { createSqliteLetterslot } from "@letterslot/adapter-sqlite";
import { createApp } from "@letterslot/server";
import { Hono } from "hono";

const port = Number(process.env["PORT"] ?? 3000);
const folder = process.env["DATA_DIR"] ?? "./data";

// 1. The service, with its worker, as in the example embed.
const letterslot = createSqliteLetterslot({
  folder,
  transport: createCaptureTransport({ directory: `${folder}/outbox` }), // or createSmtpTransport
  senderAuth: createSenderAuth({ dns: createDns() }),
  webhookHttp: createWebhookHttp(),
  baseUrl: `http://localhost:${port}/mail`,
});

// 2. `createApp` returns a Hono app; mount it where you like. The application's own routes and middleware
//    stay as they are.
const app = new Hono();
app.get("/", (c) =>
  c.text("The application's own page. The mail API is at /mail/api/v1, its documentation at /mail/docs."),
);
app.route("/mail", createApp({ letterslot }));

const server = serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, (info) => {
  console.log(`listening on http://localhost:${info.port}`);
});

// 3. A clean shutdown: accept no new requests, finish the work in progress, close the files.
process.once("SIGTERM", () => void stop()).once("SIGINT", () => void stop());
async function stop(): Promise<void> {
  await new Promise((resolve) => server.close(resolve));
  await letterslot.close();
}
