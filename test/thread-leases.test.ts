import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { createPostgresStorage } from "../packages/adapter-postgres/src/index.ts";
import { freshDatabase } from "../packages/adapter-postgres/test/fresh-database.ts";
import { createTestService } from "../packages/core/testing/index.ts";

const PROGRAM = fileURLToPath(new URL("support/thread-claimer.ts", import.meta.url));
const THREADS = 20;

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

async function startWorker(args: string[]) {
  const child: ChildProcess = spawn(process.execPath, [PROGRAM, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  undo.push(() => {
    child.stdin?.end();
    return ended;
  });
  if (child.stdout === null) throw new Error("the worker has no output");
  const ready = Promise.withResolvers<void>();
  const outcomes = new Map<string, PromiseWithResolvers<string>>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const [thread_id = "", outcome = ""] = line.split(" ");
    if (thread_id === "ready") ready.resolve();
    outcomes.get(thread_id)?.resolve(outcome);
  });
  await ready.promise;
  return (thread_id: string, message_id: string, name: string) => {
    const outcome = Promise.withResolvers<string>();
    outcomes.set(thread_id, outcome);
    child.stdin?.write(`${thread_id} ${message_id} ${name}\n`);
    return outcome.promise;
  };
}

test("of two processes that claim and answer a thread at once, exactly one does", async () => {
  const { url, drop } = await freshDatabase();
  undo.push(drop);
  const storage = await createPostgresStorage({ connectionString: url });
  undo.push(() => storage.close());
  const service = createTestService({ storage });
  const { as, inbox, api_key } = await service.signUp("ada");
  const mails = [];
  for (let made = 0; made < THREADS; made++)
    mails.push(await as.messages.inject({ inbox_id: inbox.id, from: "bo@x.example", subject: `${made}` }));
  const [one, other] = await Promise.all([1, 2].map(() => startWorker([url, api_key, inbox.id])));
  if (one === undefined || other === undefined) throw new Error("no workers");
  await Promise.all(
    mails.map(async ({ thread_id, id }, at) => {
      const order = at % 2 === 0 ? [one, other] : [other, one];
      const said = await Promise.all(order.map((claim, nth) => claim(thread_id, id, `w${nth}`)));
      expect(said.toSorted()).toEqual(["sent", "thread_claimed"]);
    }),
  );
  for (const { thread_id } of mails) {
    const { messages, assignee } = await as.threads.get({ inbox_id: inbox.id, thread_id });
    const answers = messages.filter(({ direction }) => direction === "outbound");
    expect(answers.map((answer) => "text" in answer && answer.text)).toEqual([assignee]);
  }
}, 120_000);
