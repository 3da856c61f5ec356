import { describe, expect, test } from "vitest";
import { createTestService } from "../../../testing/service.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { QUICK_RESTARTS } from "./release-leases.ts";

const open = async () => {
  const service = createTestService();
  const { inbox, as } = await service.signUp();
  const { storage, clock } = service.letterslot.services;
  const send = () => as.messages.send({ inbox_id: inbox.id, to: ["mara@example.com"], text: "Hello." });
  /** Leaves all jobs as a process does that dies while working: leased. */
  const leaseAll = (attempts = 1) => {
    const due_at = new Date(clock.now().getTime() + LIMITS.job_lease_ms).toISOString();
    return storage.update("jobs", {}, { due_at, lease: "req_dead", attempts, payload: { begun: 1 } });
  };
  return { service, as, inbox, storage, clock, send, leaseAll };
};

describe("the only process on a storage releases what a dead one held", () => {
  test("a running job is due at once, and its mail is marked as possibly repeated", async () => {
    const { service, as, inbox, send, leaseAll } = await open();
    const { id } = await send();
    await leaseAll();
    await service.work();
    expect(service.transport.sent).toHaveLength(0);
    await service.letterslot.releaseLeasesOfDeadProcess();
    await service.work();
    expect(service.transport.sent).toHaveLength(1);
    const { delivery_events } = await as.messages.get({ inbox_id: inbox.id, message_id: id });
    expect(delivery_events).toMatchObject([{ type: "possibly_repeated" }, { type: "sent" }]);
  });

  test("a job due later keeps waiting", async () => {
    const { service, storage, clock, send } = await open();
    await send();
    const due_at = new Date(clock.now().getTime() + 60_000).toISOString();
    await storage.update("jobs", {}, { due_at });
    await service.letterslot.releaseLeasesOfDeadProcess();
    expect(await storage.find("jobs", { where: {}, limit: 2 })).toMatchObject([{ due_at }]);
  });

  test("a job that crashed several processes waits for its lease to end, so that it can't keep the service down", async () => {
    const { service, send, leaseAll } = await open();
    await send();
    await leaseAll(QUICK_RESTARTS + 1);
    await service.letterslot.releaseLeasesOfDeadProcess();
    await service.work();
    expect(service.transport.sent).toHaveLength(0);
    await service.clock.advance(LIMITS.job_lease_ms);
    await service.work();
    expect(service.transport.sent).toHaveLength(1);
  });

  test("the slots of interrupted waits are free", async () => {
    const { service, storage, clock } = await open();
    const expires_at = new Date(clock.now().getTime() + 30_000).toISOString();
    await storage.insert("slots", { name: "wait:key_1:0", holder: "req_dead", expires_at });
    await service.letterslot.releaseLeasesOfDeadProcess();
    expect(await storage.count("slots", {}, 10)).toBe(0);
  });
});
