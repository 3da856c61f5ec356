import { afterEach, expect, test } from "vitest";
import { createPostgresStorage } from "../packages/adapter-postgres/src/index.ts";
import { freshDatabase } from "../packages/adapter-postgres/test/fresh-database.ts";
import { countImported } from "../packages/core/src/mailbox/contacts/index.ts";
import { createMemoryStorage, createTestService, type TestService } from "../packages/core/testing/index.ts";
import { createMortalStorage } from "./support/mortal-storage.ts";
import { startDueJobsWorker } from "./support/start-due-jobs-worker.ts";

const HOUR_MS = 3600_000;

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

/** An inbox that got mail of two people, some of it in the trash. */
async function receiveSome(service: TestService, count: number) {
  const { as, inbox, account_id } = await service.signUp("ada");
  for (let nth = 0; nth < count; nth++) {
    const from = nth % 2 === 0 ? "bo@friend.example" : "cy@friend.example";
    const { results } = await service.receive({ from, to: inbox.email, subject: `No. ${nth}`, text: "Hi." });
    if (nth === 2) await as.messages.delete({ inbox_id: inbox.id, message_id: results[0]?.message_id ?? "" });
  }
  return { as, account_id };
}

test("a process that dies at any moment of counting counts each mail once", async () => {
  let died = true;
  for (let call = 1; died; call++) {
    const mortal = createMortalStorage(createMemoryStorage());
    const service = createTestService({ storage: mortal.storage });
    const { as } = await receiveSome(service, 6);
    await service.clock.advance(HOUR_MS);
    const count = async () => {
      await service.letterslot.sweep();
      await service.work();
    };
    mortal.dieBefore(call);
    // Whatever was under way when it died may fail.
    await count().catch(() => undefined);
    died = mortal.revive();
    for (let round = 0; round < 2; round++) {
      await service.clock.advance(HOUR_MS);
      await count();
    }
    const { data } = await as.contacts.list({});
    expect(
      data.map((each) => each.in),
      `died before call ${call}`,
    ).toEqual([3, 3]);
  }
}, 120_000);

test("two processes on one database that count the same inbox at once count each mail once", async () => {
  const { url, drop } = await freshDatabase();
  undo.push(drop);
  const storage = await createPostgresStorage({ connectionString: url });
  undo.push(() => storage.close());
  const COUNT = 120;
  const service = createTestService({ storage });
  const { as, account_id } = await receiveSome(service, COUNT);
  for (let job = 0; job < 4; job++) await countImported(service.letterslot.services, account_id);
  const workers = await Promise.all([1, 2].map(() => startDueJobsWorker(undo, [url, String(HOUR_MS)])));
  for (let round = 0; round < 3; round++)
    for (const said of await Promise.all(workers.map((work) => work()))) expect(said).toMatch(/^done \d+$/);
  const { data } = await as.contacts.list({});
  expect(data.map((each) => each.in)).toEqual([COUNT / 2, COUNT / 2]);
}, 120_000);
