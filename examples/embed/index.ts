import { createWebhookHttp } from "@letterslot/adapter-http";
import { createCaptureTransport, createDns, createSenderAuth } from "@letterslot/adapter-smtp";
import { createSqliteLetterslot } from "@letterslot/adapter-sqlite";

const letterslot = createSqliteLetterslot({
  folder: "data",
  transport: createCaptureTransport({ directory: "data/outbox" }), // or createSmtpTransport
  senderAuth: createSenderAuth({ dns: createDns() }),
  webhookHttp: createWebhookHttp(),
  options: { mail_domain: "agents.example.com" },
});

// An agent signs up, and says whose mail gives it work.
const { api_key, inbox } = await letterslot
  .as({ type: "public", ip: null })
  .accounts.onboard({ username: "ada" });
const agent = letterslot.as(await letterslot.authenticate(api_key, null));
await agent.allowlist.create({ inbox_id: inbox.id, address: "grace@example.org" });

// A mail arrives. This one is made up; letterslot.receive takes real ones.
await agent.messages.inject({
  inbox_id: inbox.id,
  from: "grace@example.org",
  subject: "Paper",
  text: "Please order paper.",
  auth: { spf: "pass", dkim: "pass", dmarc: "pass" },
});

// It became a task.
const { data: tasks } = await agent.tasks.list({ wait: 25 });
for (const task of tasks) console.log(`${task.sender}: ${task.text}`);
await letterslot.close();
