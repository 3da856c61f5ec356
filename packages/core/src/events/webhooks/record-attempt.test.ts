import { expect, test } from "vitest";
import { createTestService } from "../../../testing/service.ts";
import { LeaseLost } from "../../kernel/jobs/job-lease.ts";
import type { JobRecord } from "../../model/jobs.ts";

import { recordSuccesses, type Success } from "./record-attempt.ts";
import { senderOf } from "./sender.ts";

const url = "https://receiver.example.com/hook";
const at = "2026-01-01T00:00:00.000Z";

/** Three deliveries whose jobs this worker has leased, each answered well. */
async function threeTried() {
  const service = createTestService();
  const { services } = service.letterslot;
  const { as, inbox } = await service.signUp();
  const webhook = await as.webhooks.create({ url, events: ["message.received"] });
  for (const subject of ["one", "two", "three"])
    await service.receive({ from: "ada@sender.example", to: inbox.email, subject });
  const jobs = await services.storage.update("jobs", { kind: "webhook.deliver" }, { lease: "mine" });
  const success = (job: JobRecord): Success => ({
    job,
    delivery_id: job.subject_id,
    change: { status: "succeeded", attempts: 1, last_status_code: 204 },
    webhook_id: webhook.id,
    webhook_change: job === jobs[0] ? { last_delivery_at: at } : undefined,
    resultIsWritten: () => undefined,
  });
  const statuses = async () =>
    (await as.webhooks.deliveries({ webhook_id: webhook.id })).data.map(({ status }) => status).sort();
  const left = () => services.storage.count("jobs", { kind: "webhook.deliver" }, 10);
  const lastDelivery = async () => (await as.webhooks.get({ webhook_id: webhook.id })).last_delivery_at;
  return { services, jobs, successes: jobs.map(success), statuses, left, lastDelivery };
}

test("successes are written together with the end of their jobs", async () => {
  const { services, successes, statuses, left, lastDelivery } = await threeTried();
  await recordSuccesses(services, successes);
  expect([await statuses(), await left(), await lastDelivery()]).toEqual([
    ["succeeded", "succeeded", "succeeded"],
    0,
    at,
  ]);
});

test("when one lease was lost nothing of the batch is written", async () => {
  const { services, jobs, successes, statuses, left } = await threeTried();
  await services.storage.update("jobs", { id: jobs[1]?.id ?? "" }, { lease: "another worker's" });
  await expect(recordSuccesses(services, successes)).rejects.toThrow(LeaseLost);
  expect([await statuses(), await left()]).toEqual([["pending", "pending", "pending"], 3]);
});

test("a delivery that lost its lease fails, and the others of its batch are written", async () => {
  const { services, jobs, successes, statuses, left } = await threeTried();
  await services.storage.update("jobs", { id: jobs[1]?.id ?? "" }, { lease: "another worker's" });
  const outcomes = await Promise.allSettled(successes.map(senderOf(services).succeeded));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(outcomes[1]).toMatchObject({ reason: expect.any(LeaseLost) as LeaseLost });
  expect([await statuses(), await left()]).toEqual([["pending", "succeeded", "succeeded"], 1]);
});
