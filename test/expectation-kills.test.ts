import { afterEach, expect, test } from "vitest";
import { createPostgresStorage } from "../packages/adapter-postgres/src/index.ts";
import { freshDatabase } from "../packages/adapter-postgres/test/fresh-database.ts";
import { createMemoryStorage, createTestService, type TestService } from "../packages/core/testing/index.ts";
import { createMortalStorage } from "./support/mortal-storage.ts";
import { startDueJobsWorker } from "./support/start-due-jobs-worker.ts";

const THREE_DAYS = 3 * 24 * 3600;

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

/** "Tell me if nobody answers by Friday", for some mails. */
async function expectAnswers(service: TestService, count: number) {
  const { as, inbox } = await service.signUp("ada");
  for (let made = 0; made < count; made++) {
    const sent = await as.messages.send({ inbox_id: inbox.id, to: ["bo@friend.example"], text: "When?" });
    await as.expectations.create({
      ...{ inbox_id: inbox.id, kind: "reply", in_reply_to: sent.id, on_expiry: "task" },
      ttl_seconds: THREE_DAYS,
    });
  }
  await service.work();
  return as;
}

test("a process that dies at any moment of the expiry leaves exactly one task", async () => {
  let died = true;
  for (let call = 1; died; call++) {
    const mortal = createMortalStorage(createMemoryStorage());
    const service = createTestService({ storage: mortal.storage });
    const as = await expectAnswers(service, 1);
    await service.clock.advance(THREE_DAYS * 1000);
    mortal.dieBefore(call);
    await service.work().catch(() => undefined);
    died = mortal.revive();
    // The dead one's lease ends, and whoever lives does the job.
    await service.clock.advance(3600_000);
    await service.work();
    await service.clock.advance(3600_000);
    await service.work();
    const { data } = await as.tasks.list({ status: "all" });
    expect(data, `died before call ${call}`).toMatchObject([{ origin: "expectation", trusted: true }]);
  }
}, 60_000);

test("two processes on one database make one task for each", async () => {
  const { url, drop } = await freshDatabase();
  undo.push(drop);
  const storage = await createPostgresStorage({ connectionString: url });
  undo.push(() => storage.close());
  const COUNT = 20;
  const as = await expectAnswers(createTestService({ storage }), COUNT);
  const workers = await Promise.all(
    [1, 2].map(() => startDueJobsWorker(undo, [url, String(THREE_DAYS * 1000)])),
  );
  for (let round = 0; round < 3; round++)
    for (const said of await Promise.all(workers.map((work) => work()))) expect(said).toMatch(/^done \d+$/);
  const { data } = await as.tasks.list({ status: "all" });
  expect(new Set(data.map(({ message_id }) => message_id)).size).toBe(COUNT);
  expect(data).toHaveLength(COUNT);
}, 120_000);
