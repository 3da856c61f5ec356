import { setTimeout as after } from "node:timers/promises";
import { expect, test } from "vitest";
import { createEventLoopLoad } from "./event-loop-load.ts";

const look_every_ms = 100;

test("a thread is busy after working all the time, and no longer busy after waiting", async () => {
  const busy = createEventLoopLoad({ look_every_ms, busy_share: 0.5 });
  const began = performance.now();
  while (performance.now() - began < look_every_ms);
  expect(busy()).toBe(true);
  while (busy()) await after(2 * look_every_ms);
});
