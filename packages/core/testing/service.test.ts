import { expect, test } from "vitest";
import { createManualClock } from "./manual-clock.ts";
import { createTestService } from "./service.ts";

test("a service with a given clock uses it everywhere and returns it", async () => {
  const clock = createManualClock(new Date("2030-05-01T10:00:00.000Z"));
  const service = createTestService({ clock });
  expect(service.clock).toBe(clock);
  const { as, inbox } = await service.signUp();
  expect(inbox.created_at).toBe("2030-05-01T10:00:00.000Z");
  const stop = service.letterslot.work();
  const send_at = "2030-05-01T11:00:00.000Z";
  await as.messages.send({ inbox_id: inbox.id, to: ["ada@example.com"], text: "Later.", send_at });
  await clock.advance(3600_000);
  expect(service.transport.sent).toHaveLength(1);
  await stop();
});
