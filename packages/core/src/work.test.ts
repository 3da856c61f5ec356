import { expect, test } from "vitest";
import { casesOf } from "../../../test/support/case-count.ts";
import { createTestService } from "../testing/service.ts";
import { startWorker } from "./work.ts";

/** A service with an account that has 25 webhooks. */
async function openWithWebhooks() {
  const service = createTestService();
  const account = await service.signUp();
  for (let count = 0; count < 25; count++)
    await account.as.webhooks.create({
      url: `https://receiver-${count}.example.com/`,
      events: ["message.received"],
    });
  return { service, account };
}

test("a worker with more due work than places does all of it, and lets other things go on meanwhile", async () => {
  const { service, account } = await openWithWebhooks();
  const { post } = service.receivers;
  service.receivers.post = async (request) => {
    await new Promise((resolve) => setImmediate(resolve));
    return post(request);
  };
  for (let count = 0; count < 20; count++)
    await service.receive({ from: "ada@sender.example", to: account.inbox.email });

  const { storage } = service.letterslot.services;
  const stop = service.letterslot.work();
  while ((await storage.count("jobs", {}, 1)) > 0) await service.clock.advance(100);
  await stop();
  expect(service.receivers.posted).toHaveLength(500);
  expect(await storage.count("deliveries", { status: "succeeded" }, 1000)).toBe(500);
});

test("deliveries whose successes are being written make room for others, and each is sent once", async () => {
  const { service, account } = await openWithWebhooks();
  for (let count = 0; count < 20; count++)
    await service.receive({ from: "ada@sender.example", to: account.inbox.email });

  const { services } = service.letterslot;
  const { storage } = services;
  const mayWrite = Promise.withResolvers<void>();
  const transaction: typeof storage.transaction = async (run, intent) => {
    await mayWrite.promise;
    return storage.transaction(run, intent);
  };
  const stop = startWorker({ ...services, storage: { ...storage, transaction } });
  for (let step = 0; step < 20; step++) await service.clock.advance(10);
  expect(service.receivers.posted.length).toBeGreaterThan(200);
  expect(service.receivers.posted.length).toBeLessThan(500);
  expect(await storage.count("jobs", {}, 1000)).toBe(500);

  mayWrite.resolve();
  while ((await storage.count("jobs", {}, 1)) > 0) await service.clock.advance(100);
  await stop();
  expect(new Set(service.receivers.posted.map(({ headers }) => headers["x-svc-delivery"])).size).toBe(500);
  expect(service.receivers.posted).toHaveLength(500);
});

test("of 500 deliveries that begin at once none waits until something else wakes the worker, in several rounds", async () => {
  const service = createTestService();
  const accounts: Awaited<ReturnType<typeof service.signUp>>[] = [];
  for (let count = 0; count < 10; count++) {
    const account = await service.signUp(`agent-${count}`, `owner-${count}@owners.example`);
    accounts.push(account);
    await service.clock.advance(3600_000);
    for (let hook = 0; hook < 50; hook++)
      await account.as.webhooks.create({
        url: `https://receiver-${count}-${hook}.example.com/`,
        events: ["message.received"],
      });
  }
  const { post } = service.receivers;
  service.receivers.post = async (request) => {
    await new Promise((resolve) => setImmediate(resolve));
    return post(request);
  };
  const { services } = service.letterslot;
  const stop = startWorker(services);
  const late: number[] = [];
  for (let round = 1; round <= casesOf(3, 10); round++) {
    await Promise.all(
      accounts.map(({ inbox }) =>
        service.receive({ from: "ada@sender.example", to: inbox.email, text: `${round}` }),
      ),
    );
    for (let turn = 0; turn < 2_000 && (await services.storage.count("jobs", {}, 1)) > 0; turn++)
      await new Promise((resolve) => setImmediate(resolve));
    const posted = service.receivers.posted.splice(0).length;
    if (posted < 500) late.push(round);
    await service.clock.advance(60_000);
  }
  await stop();
  expect(late).toEqual([]);
}, 300_000);
