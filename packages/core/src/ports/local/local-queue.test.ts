import { expect, test } from "vitest";
import { createManualClock } from "../../../testing/index.ts";
import { createLocalQueue } from "./local-queue.ts";

/** How often a worker is woken by a thousand wake-ups, one a millisecond, of which the first is so far ahead. */
async function wakesOf(ahead_ms: number): Promise<number> {
  const clock = createManualClock();
  const queue = createLocalQueue({ clock });
  let wakes = 0;
  queue.work(async () => void wakes++);
  const first = clock.now().getTime() + ahead_ms;
  await clock.advance(0);
  const before = wakes;
  for (let at = 0; at < 1_000; at++) await queue.send(new Date(first + at));
  await clock.advance(ahead_ms + 2_000);
  await queue.close();
  return wakes - before;
}

test("wake-ups that are close together are merged: more of them when they are far ahead", async () => {
  const near = await wakesOf(1_000);
  const far = await wakesOf(30_000);
  expect(near).toBeGreaterThan(100);
  expect(far).toBeGreaterThan(0);
  expect(far).toBeLessThanOrEqual(11);
});

test("a wake-up that is far ahead never comes early, and at most a tenth of a second late", async () => {
  const clock = createManualClock();
  const queue = createLocalQueue({ clock });
  const woken: number[] = [];
  queue.work(async () => void woken.push(clock.now().getTime()));
  await clock.advance(0);
  woken.length = 0;
  const due = clock.now().getTime() + 30_001;
  await queue.send(new Date(due));
  await clock.advance(40_000);
  await queue.close();
  expect(woken).toHaveLength(1);
  expect(woken[0]).toBeGreaterThanOrEqual(due);
  expect(woken[0]).toBeLessThanOrEqual(due + 100);
});
