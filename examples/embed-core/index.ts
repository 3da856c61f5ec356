// Letterslot inside a program: an inbox in a SQLite file, without a server or HTTP. Run it with
// `node index.ts`.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWebhookHttp } from "@letterslot/adapter-http";
import {
  createSqliteBlobs,
  createSqliteQueue,
  createSqliteSignals,
  createSqliteStorage,
} from "@letterslot/adapter-sqlite";
import { createLetterslot } from "@letterslot/core";
import type { SenderAuth, Transport } from "@letterslot/core/ports";

// 1. The ports: everything that core needs from outside is passed in. We implement these two here to show how
//    small a port is. @letterslot/adapter-smtp has real ones: SMTP with DKIM, and SPF, DKIM and DMARC checks.
const sent = Promise.withResolvers<string>();
const transport: Transport = {
  name: "console",
  async send({ raw, envelope }) {
    sent.resolve(new TextDecoder().decode(raw));
    return envelope.rcpt_to.map((recipient) => ({ recipient, outcome: "accepted", detail: "printed" }));
  },
  async close() {},
};
const senderAuth: SenderAuth = {
  // No sender is authenticated: mail still arrives, but is not trusted.
  check: async () => ({
    spf: { result: "none", domain: null },
    dkim: [],
    arc: null,
    dmarc: null,
    dmarc_temperror: false,
    repeated_headers: [],
  }),
};

const folder = process.argv[2] ?? mkdtempSync(join(tmpdir(), "letterslot-"));
const storage = createSqliteStorage({ path: join(folder, "letterslot.db") });
const letterslot = createLetterslot({
  storage,
  blobs: createSqliteBlobs({ storage, folder: join(folder, "blobs") }),
  queue: createSqliteQueue(),
  signals: createSqliteSignals(),
  webhookHttp: createWebhookHttp(),
  transport,
  senderAuth,
  // Encrypts webhook secrets in storage. A real program keeps its 32 bytes outside the database and never
  // changes them.
  encryptionKeys: [new Uint8Array(32).fill(7)],
  mailDomain: "agents.example.com",
});

// 2. An account, its API key and its first inbox. From here on the agent has the key's permissions.
const { api_key, inbox } = await letterslot.onboard({ username: "ada" });
const agent = letterslot.withKey(api_key);
console.log(`inbox: ${inbox.email}`);

// 3. A worker sends mail and webhooks. It runs in this process until it is stopped.
const stopWork = letterslot.work();

// 4. The agent waits for mail, and a mail arrives from elsewhere (your SMTP listener, a gateway's webhook).
const waiting = agent.messages.wait({ inbox_id: inbox.id, wait: 25 });
const raw = [
  "From: Grace <grace@example.org>",
  `To: ${inbox.email}`,
  "Subject: Lunch?",
  "Message-ID: <lunch@example.org>",
  "",
  "Are you free at noon?",
  "",
  "On Monday, Ada wrote:",
  "> See you soon!",
].join("\r\n");
const report = await letterslot.receive({
  raw: new TextEncoder().encode(raw),
  envelope: { mail_from: "grace@example.org", rcpt_to: [inbox.email], client_ip: null, helo: null },
  origin: "smtp",
});
console.log(`received: ${report.results.map(({ outcome }) => outcome).join()}`);

// 5. `extracted_text` is the new text of a mail, without quotes and signature.
const { data } = await waiting;
const [mail] = data;
if (mail === undefined) throw new Error("no mail arrived in time");
console.log(`mail from ${mail.from}: ${mail.extracted_text}`);

// 6. The reply and its send job are written in one transaction; the worker passes it to the transport.
await agent.messages.reply({ inbox_id: inbox.id, message_id: mail.id, text: "At noon then." });
console.log(`sent:\n${await sent.promise}`);

// 7. A clean shutdown: finish the work in progress, then close the files.
await stopWork();
await Promise.all([
  letterslot.services.queue.close(),
  letterslot.services.signals.close(),
  letterslot.services.webhookHttp.close(),
]);
await storage.close();
