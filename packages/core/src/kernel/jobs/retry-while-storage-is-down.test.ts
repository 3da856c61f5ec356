import { expect, test } from "vitest";
import { createTestService } from "../../../testing/service.ts";
import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { runDueJobs } from "../../work.ts";

/** A mail that is accepted while the storage takes no transaction until told otherwise. */
async function sentWithoutStorage() {
  const service = createTestService();
  const { as, inbox } = await service.signUp();
  const { id } = await as.messages.send({ inbox_id: inbox.id, to: ["mara@example.com"], text: "Hello." });
  const { services } = service.letterslot;
  const state = { away: true };
  const transaction: typeof services.storage.transaction = (run) =>
    state.away ? Promise.reject(fail("storage_unavailable")) : services.storage.transaction(run);
  const working = runDueJobs({ ...services, storage: { ...services.storage, transaction } });
  await service.clock.advance(0);
  expect(service.transport.sent).toHaveLength(1);
  return { service, state, working, show: () => as.messages.get({ inbox_id: inbox.id, message_id: id }) };
}

test("a mail accepted while the storage was down is recorded when it is back, and not sent again", async () => {
  const { service, state, working, show } = await sentWithoutStorage();
  await service.clock.advance(5_000);
  state.away = false;
  await service.clock.advance(1_000);
  await working;
  await service.work();
  expect(service.transport.sent).toHaveLength(1);
  expect(await show()).toMatchObject({ status: "sent", delivery_events: [{ type: "sent" }] });
});

test("a mail whose acceptance could not be recorded within the lease is sent again and marked so", async () => {
  const { service, state, working, show } = await sentWithoutStorage();
  await service.clock.advance(LIMITS.job_lease_ms);
  await working;
  state.away = false;
  await service.clock.advance(LIMITS.job_lease_ms);
  await service.work();
  expect(service.transport.sent).toHaveLength(2);
  expect(await show()).toMatchObject({
    status: "sent",
    delivery_events: [{ type: "possibly_repeated" }, { type: "sent" }],
  });
});
