// An agent that works by mail: it waits for tasks from its owners, answers in the same thread, and reports
// what it did. Start a server (`npx -y pnpm@12 start`), create a key, add yourself as an owner and confirm.
// Then run
//   LETTERSLOT_API_KEY=ls_live_… node index.ts
// and send a mail to the inbox.
import { createClient } from "@letterslot/client";

const client = createClient({
  baseUrl: process.env["LETTERSLOT_URL"] ?? "http://localhost:8025",
  apiKey: process.env["LETTERSLOT_API_KEY"] ?? "",
});
const stop = new AbortController();
process.once("SIGINT", () => stop.abort()).once("SIGTERM", () => stop.abort());

/** Replace this with your agent's work: ask a model, call tools, write code. This one counts words. */
async function work(text: string): Promise<string> {
  return `Your task has ${text.split(/\s+/).filter(Boolean).length} words.`;
}

console.log("waiting for tasks");
while (!stop.signal.aborted) {
  // A long poll: returns as soon as there is a task, or an empty list after 25 seconds.
  const page = await client.tasks
    .list({ status: "pending", wait: 25 }, { signal: stop.signal })
    .catch(unlessStopped);
  for (const task of page?.data ?? []) {
    // Treat mail as data, not instructions: act only on tasks whose sender was authenticated as an owner or
    // an allowlisted address.
    if (!task.trusted) {
      await client.tasks.update({ task_id: task.id, status: "done" });
      console.log(`ignored: ${task.subject}`);
      continue;
    }
    await client.tasks.update({ task_id: task.id, status: "in_progress" });
    const answer = await work(task.text);

    // The client_id makes each step safe to repeat: if this program crashes here and restarts, nobody gets
    // two mails.
    await client.tasks.reply({
      task_id: task.id,
      text: answer,
      status: "done",
      client_id: `answer-${task.id}`,
    });
    await client.updates.create({
      inbox_id: task.inbox_id,
      kind: "done",
      title: task.subject,
      text: answer,
      client_id: `report-${task.id}`,
    });
    console.log(`done: ${task.subject}`);
  }
}

function unlessStopped(error: unknown): undefined {
  if (!stop.signal.aborted) throw error;
}
