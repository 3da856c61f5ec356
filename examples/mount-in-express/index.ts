// Letterslot as part of an Express application: its API is mounted under /mail, beside the application's own
// routes. Run it with `node index.ts`, then open http://localhost:3000/mail/docs
import type { AddressInfo } from "node:net";
import { createWebhookHttp } from "@letterslot/adapter-http";
import { createCaptureTransport, createDns, createSenderAuth } from "@letterslot/adapter-smtp";
import { createSqliteLetterslot } from "@letterslot/adapter-sqlite";
import { createApp } from "@letterslot/server";
import { toNodeHandler } from "@letterslot/server/node";
import express from "express";

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

// 2. `createApp` returns a Hono app, which becomes a listener for Node's requests. Mount it before any
//    middleware that reads bodies, such as express.json().
const mail = createApp({ letterslot });
const app = express();
app.use("/mail", toNodeHandler(mail));
app.get("/", (_request, response) => {
  response.send(
    "The application's own page. The mail API is at /mail/api/v1, its documentation at /mail/docs.",
  );
});

const server = app.listen(port, "127.0.0.1", () => {
  console.log(`listening on http://localhost:${(server.address() as AddressInfo).port}`);
});

// 3. A clean shutdown: accept no new requests, finish the work in progress, close the files.
process.once("SIGTERM", () => void stop()).once("SIGINT", () => void stop());
async function stop(): Promise<void> {
  await new Promise((resolve) => server.close(resolve));
  await letterslot.close();
}
