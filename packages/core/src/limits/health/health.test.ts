import { expect, test } from "vitest";
import { createTestService } from "../../../testing/index.ts";
import { countReport, countSending } from "./count.ts";

const dayMs = 24 * 3600_000;

const setting = async () => {
  const service = createTestService();
  const { as, inbox, account_id } = await service.signUp();
  const send = async (to: string) => {
    await as.messages.send({ inbox_id: inbox.id, to: [to], text: "Hello" });
    await service.work();
  };
  return { service, as, inbox_id: inbox.id, account_id, send, storage: service.letterslot.services.storage };
};

test("sending is paused at 10 % bounces, with a warning at half of that, until the rate falls", async () => {
  const { service, as, send } = await setting();
  for (let sent = 0; sent < 50; sent++) await send(`ada${sent}@example.com`);
  for (let bounced = 0; bounced < 2; bounced++) {
    service.transport.refuse(`gone@example${bounced}.com`, "permanent_failure");
    await send(`gone@example${bounced}.com`);
  }
  expect(await as.me.get({})).not.toHaveProperty("sending_health");
  service.transport.refuse("gone@example3.com", "permanent_failure");
  await send("gone@example3.com");
  const warned = await as.me.get({});
  expect(warned).toMatchObject({
    restrictions: [],
    sending_health: {
      state: "warning",
      bounce_rate: 3 / 53,
      complaint_rate: 0,
      message: expect.stringContaining("3 bounced"),
    },
  });
  // Notices are about quotas alone.
  expect(warned).not.toHaveProperty("notices");
  for (let bounced = 4; bounced < 7; bounced++) {
    service.transport.refuse(`gone@example${bounced}.com`, "permanent_failure");
    await send(`gone@example${bounced}.com`);
  }
  await expect(send("ada@example.com")).rejects.toMatchObject({ code: "sending_paused" });
  expect(await as.me.get({})).toMatchObject({
    restrictions: ["sending_paused"],
    sending_health: { state: "paused" },
  });

  await service.clock.advance(6 * dayMs);
  await expect(send("ada@example.com")).rejects.toMatchObject({ code: "sending_paused" });
  await service.clock.advance(dayMs);
  await send("ada@example.com");
  const well = await as.me.get({});
  expect(well.restrictions).toEqual([]);
  expect(well).not.toHaveProperty("sending_health");
});

test("many bounces of one organisation in a day count once, and pause nothing", async () => {
  const { service, as, send } = await setting();
  for (let sent = 0; sent < 50; sent++) await send(`ada${sent}@example.com`);
  for (let bounced = 0; bounced < 20; bounced++) {
    service.transport.refuse(`gone${bounced}@example.com`, "permanent_failure");
    await send(`gone${bounced}@example.com`);
  }
  expect(await as.metrics.rates({})).toMatchObject({ sent: 70, bounced: 1 });
  expect(await as.me.get({})).toMatchObject({ restrictions: [] });
});

test("letters are still sent while sending is paused, and other accounts are unaffected", async () => {
  const { service, as, inbox_id, account_id, storage } = await setting();
  await countSending(storage, account_id, { sent: 200 }, service.clock.now());
  for (const domain of ["a.test", "b.test", "c.test"])
    await countReport(storage, account_id, { kind: "complaint", domain }, service.clock.now());
  await expect(as.messages.send({ inbox_id, to: ["ada@example.com"], text: "x" })).rejects.toMatchObject({
    code: "sending_paused",
    message: expect.stringContaining("3 complained"),
  });
  await as.owners.create({ inbox_id, email: "olga@owner.example" });
  await service.work();
  expect(service.transport.sent).toHaveLength(1);
  const other = await service.signUp("other");
  await expect(
    other.as.messages.send({ inbox_id: other.inbox.id, to: ["ada@example.com"], text: "x" }),
  ).resolves.toBeDefined();
});

test("mail within the service is not counted", async () => {
  const { send, storage } = await setting();
  await send("agent@letterslot.localhost");
  expect(await storage.count("sending_days", {}, 10)).toBe(0);
});

test("counts are kept for 90 days", async () => {
  const { service, send, storage } = await setting();
  service.transport.refuse("gone@example.com", "permanent_failure");
  for (const to of ["ada@example.com", "gone@example.com"]) await send(to);
  const kept = () =>
    Promise.all((["sending_days", "sending_reports"] as const).map((table) => storage.count(table, {}, 10)));
  await service.clock.advance(90 * dayMs);
  await service.letterslot.sweep();
  expect(await kept()).toEqual([1, 2]);
  await service.clock.advance(dayMs);
  await service.letterslot.sweep();
  expect(await kept()).toEqual([0, 0]);
});
