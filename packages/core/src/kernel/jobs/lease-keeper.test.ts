import { expect, test } from "vitest";
import { createTestService } from "../../../testing/service.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { runDueJobs } from "../../work.ts";

/** A service with a mail to send, through a mail server that answers when told. */
async function withSlowServer() {
  const service = createTestService();
  const { as, inbox } = await service.signUp();
  const { send } = service.transport;
  const asked: (() => void)[] = [];
  service.transport.send = async (mail) => {
    await new Promise<void>((resolve) => asked.push(resolve));
    return send(mail);
  };
  const { id } = await as.messages.send({ inbox_id: inbox.id, to: ["mara@example.com"], text: "Hello." });
  const show = () => as.messages.get({ inbox_id: inbox.id, message_id: id });
  const askedFor = async (times: number) => {
    while (asked.length < times) await new Promise((resolve) => setImmediate(resolve));
  };
  return { service, asked, askedFor, show };
}

test("a job that takes longer than its lease keeps its worker", async () => {
  const { service, asked, askedFor, show } = await withSlowServer();
  const { services, work } = service.letterslot;
  const stop = work();
  await askedFor(1);
  await service.clock.advance(3 * LIMITS.job_lease_ms);
  await runDueJobs(services);
  expect(asked).toHaveLength(1);
  asked[0]?.();
  await stop();
  expect(await show()).toMatchObject({ status: "sent", delivery_events: [{ type: "sent" }] });
  expect(await services.storage.count("jobs", {}, 1)).toBe(0);
});

test("of two workers that look at once, one has the job", async () => {
  const { service, asked, askedFor, show } = await withSlowServer();
  const { services } = service.letterslot;
  const both = [runDueJobs(services), runDueJobs(services)];
  await askedFor(1);
  await service.clock.advance(1);
  expect(asked).toHaveLength(1);
  for (const answer of asked) answer();
  await Promise.all(both);
  expect(await show()).toMatchObject({ status: "sent", delivery_events: [{ type: "sent" }] });
});

test("a job whose worker is gone is retried by another worker when its lease ends", async () => {
  const { service, asked, askedFor, show } = await withSlowServer();
  const { services, work } = service.letterslot;
  const { clock } = service;
  // The worker that dies is one whose timers don't go off any more.
  const dying = runDueJobs({ ...services, clock: { now: services.clock.now, after: () => () => undefined } });
  await askedFor(1);
  await clock.advance(LIMITS.job_lease_ms - 1);
  const stop = work();
  await clock.advance(0);
  expect(asked).toHaveLength(1);
  await clock.advance(1);
  await askedFor(2);
  for (const answer of asked) answer();
  await Promise.all([stop(), dying]);
  expect(await show()).toMatchObject({
    status: "sent",
    delivery_events: [{ type: "possibly_repeated" }, { type: "sent" }],
  });
});
