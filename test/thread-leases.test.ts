import { afterEach, expect, test } from "vitest";
import { createPostgresStorage } from "../packages/adapter-postgres/src/index.ts";
import { freshDatabase } from "../packages/adapter-postgres/test/fresh-database.ts";
import { createTestService } from "../packages/core/testing/index.ts";
import { startRacer } from "./support/racers.ts";

const PROGRAM = new URL("support/thread-claimer.ts", import.meta.url);
const THREADS = 20;

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

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
  const workers = await Promise.all([1, 2].map(() => startRacer(PROGRAM, [url, api_key, inbox.id])));
  undo.push(...workers.map(({ stop }) => stop));
  await Promise.all(
    mails.map(async ({ thread_id, id }, at) => {
      const order = at % 2 === 0 ? workers : workers.toReversed();
      const said = await Promise.all(
        order.map(({ ask }, nth) => ask(thread_id, `${thread_id} ${id} w${nth}`)),
      );
      expect(said.toSorted()).toEqual(["sent", "thread_claimed"]);
    }),
  );
  for (const { thread_id } of mails) {
    const { messages, assignee } = await as.threads.get({ inbox_id: inbox.id, thread_id });
    const answers = messages.filter(({ direction }) => direction === "outbound");
    expect(answers.map((answer) => "text" in answer && answer.text)).toEqual([assignee]);
  }
}, 120_000);
