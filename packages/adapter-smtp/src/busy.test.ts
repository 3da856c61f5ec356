import { setTimeout as after } from "node:timers/promises";
import { expect, test } from "vitest";
import { createBusyness, LOOK_EVERY_MS } from "./busy.ts";

test("a thread is busy after it has worked all the time, and is not any more when it has waited", async () => {
  const busy = createBusyness();
  const began = performance.now();
  while (performance.now() - began < LOOK_EVERY_MS);
  expect(busy()).toBe(true);
  while (busy()) await after(2 * LOOK_EVERY_MS);
});
