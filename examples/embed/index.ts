import { createSqliteLetterslot } from "@letterslot/adapter-sqlite";

const letterslot = createSqliteLetterslot({ folder: "data", mailDomain: "agents.example.com" });

// An agent signs up, and names the person whose mail gives it work.
const { api_key, inbox } = await letterslot.onboard({ username: "ada" });
const agent = letterslot.withKey(api_key);
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
