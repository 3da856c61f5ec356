import { expect, test } from "vitest";
import { createTestService } from "../../../testing/service.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { startWorker } from "../../work.ts";

/** An account with a webhook, and what its jobs were when each delivery was posted. */
async function withWebhook() {
  const service = createTestService();
  const { services } = service.letterslot;
  const { storage } = services;
  const { as, inbox } = await service.signUp();
  await as.webhooks.create({ url: "https://receiver.example.com/hook", events: ["message.received"] });
  const mail = () => service.receive({ from: "ada@sender.example", to: inbox.email });
  const jobs = () => storage.find("jobs", { where: { kind: "webhook.deliver" }, limit: 500 });
  return { service, services, storage, mail, jobs, posted: service.receivers.posted };
}

/** A service's storage, and how often jobs were claimed by an update. */
function countingClaims(services: Awaited<ReturnType<typeof withWebhook>>["services"]) {
  const { storage } = services;
  const counted = { claims: 0 };
  const update: typeof storage.update = (table, where, change) => {
    if (table === "jobs" && "attempts" in change) counted.claims++;
    return storage.update(table, where, change);
  };
  return { counted, counting: { ...services, storage: { ...storage, update } } };
}

test("a delivery is written as claimed by the worker of the process, and done once it is committed", async () => {
  const { service, services, mail, jobs, posted } = await withWebhook();
  const { counted, counting } = countingClaims(services);
  const { post } = service.receivers;
  const whenPosted: Awaited<ReturnType<typeof jobs>> = [];
  service.receivers.post = async (request) => {
    whenPosted.push(...(await jobs()));
    return post(request);
  };
  const stop = startWorker(counting);
  await mail();
  await service.clock.advance(100);
  await stop();
  expect(posted).toHaveLength(1);
  expect(whenPosted).toMatchObject([{ attempts: 1, lease: expect.stringMatching(/^req_/) as string }]);
  expect([await jobs(), counted.claims]).toEqual([[], 0]);
});

test("what was claimed early by a process that died is delivered when the lease ends", async () => {
  const { service, services, mail, posted } = await withWebhook();
  const due_at = new Date(services.clock.now().getTime() + LIMITS.job_lease_ms).toISOString();
  const dying = { due_at, lease: "req_dying", attempts: 1, start: () => undefined, free: () => undefined };
  const end = services.earlyClaims.serve(() => dying);
  await mail();
  end();
  await service.work();
  expect(posted).toHaveLength(0);
  await service.clock.advance(LIMITS.job_lease_ms);
  await service.work();
  expect(posted).toHaveLength(1);
});

test("a worker that is stopped before the commit waits for it and leaves the delivery to others", async () => {
  const { service, services, mail, jobs, posted } = await withWebhook();
  const stop = startWorker(services);
  const claim = services.earlyClaims.claim(1);
  const stopped = stop();
  await mail();
  const [job] = await services.storage.update(
    "jobs",
    {},
    { lease: claim?.lease ?? "", due_at: claim?.due_at ?? "" },
  );
  claim?.start(job === undefined ? [] : [job]);
  await stopped;
  expect(await jobs()).toMatchObject([{ lease: null, due_at: services.clock.now().toISOString() }]);
  await service.work();
  expect(posted).toHaveLength(1);
});

test("transactions that fail give their places back", async () => {
  const { service, services, storage, mail, posted } = await withWebhook();
  let away = false;
  const transaction: typeof storage.transaction = async (run, intent) =>
    storage.transaction(async (tx) => {
      const result = await run(tx);
      if (away) throw new Error("the disk is full");
      return result;
    }, intent);
  services.storage = { ...storage, transaction };
  const stop = startWorker(services);
  away = true;
  for (let count = 0; count < 201; count++) await expect(mail()).rejects.toThrow("the disk is full");
  away = false;
  const all = services.earlyClaims.claim(200);
  expect(all).toBeDefined();
  expect(services.earlyClaims.claim(1)).toBeUndefined();
  await mail();
  await service.clock.advance(100);
  expect(posted).toHaveLength(0);
  all?.free();
  await stop();
});
