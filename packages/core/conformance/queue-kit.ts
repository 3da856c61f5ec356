import assert from "node:assert/strict";
import type { Queue } from "../src/ports/queue.ts";
import { gate, type Kit, type Opened, withFresh } from "./kit.ts";

/**
 * A fresh queue for one test. `advance` moves its clock and resolves once due wake-ups have arrived, or
 * should have.
 */
export interface OpenedQueue extends Opened {
  queue: Queue;
  now(): Date;
  advance(milliseconds: number): Promise<void>;
  /**
   * The maximum delay of a wake-up in milliseconds: 99 by default, and less than the queue's own sweep interval. A
   * queue on real time shares its machine.
   */
  lateness_ms?: number;
}

const LATENESS_MS = 99;

/**
 * Checks every promise of the queue port. A queue may wake more often than requested, so the kit counts "at
 * least".
 */
export function queueKit(kit: Kit<OpenedQueue>): void {
  const test = withFresh(kit);

  test("work starts with a wake-up, for jobs that were already due", async (opened) => {
    let calls = 0;
    opened.queue.work(async () => void calls++);
    await comes(opened, () => calls >= 1);
  });

  test("a wake-up for now comes immediately", async (opened) => {
    const { queue, now, advance } = opened;
    let calls = 0;
    queue.work(async () => void calls++);
    await advance(1);
    const before = calls;
    await queue.send(now());
    await comes(opened, () => calls > before);
  });

  test("a wake-up for later comes at its time, not before", async (opened) => {
    const { queue, now, advance, lateness_ms = LATENESS_MS } = opened;
    const times: number[] = [];
    queue.work(async () => void times.push(now().getTime()));
    // Wait until the initial wake-ups are over.
    for (let before = -1; before < times.length; ) {
      before = times.length;
      await advance(Math.ceil(lateness_ms / 4));
    }
    const start = now().getTime();
    await queue.send(new Date(start + 5_000));
    await queue.send(new Date(start + 2_000));
    await advance(1_900);
    assert.equal(times.filter((time) => time > start && time < start + 2_000).length, 0);
    await advance(101);
    await comes(opened, () =>
      times.some((time) => time >= start + 2_000 && time <= start + 2_000 + lateness_ms),
    );
    await advance(Math.max(start + 5_000 - now().getTime(), 0));
    await comes(opened, () => times.some((time) => time >= start + 5_000));
  });

  test("a wake-up before work starts is not lost", async (opened) => {
    const { queue, now, advance } = opened;
    await queue.send(new Date(now().getTime() + 1_000));
    let calls = 0;
    queue.work(async () => void calls++);
    await advance(1);
    const before = calls;
    await advance(1_000);
    await comes(opened, () => calls > before);
  });

  test("the handler runs one call at a time, and a wake-up during a call causes another", async (opened) => {
    const { queue, now, advance } = opened;
    const hold = gate();
    let running = 0;
    let most = 0;
    let calls = 0;
    queue.work(async () => {
      calls++;
      most = Math.max(most, ++running);
      if (calls === 1) await hold.passed;
      running--;
    });
    await comes(opened, () => calls === 1);
    await queue.send(now());
    await queue.send(now());
    await advance(1);
    assert.equal(calls, 1);
    hold.open();
    await comes(opened, () => calls >= 2);
    assert.equal(most, 1);
  });

  test("a failed handler is called again at the next wake-up", async (opened) => {
    const { queue, now, advance } = opened;
    let calls = 0;
    queue.work(async () => {
      calls++;
      throw new Error("no");
    });
    await advance(1);
    const before = calls;
    await queue.send(now());
    await comes(opened, () => calls > before);
  });

  test("stopping waits for the current call, and no other follows", async (opened) => {
    const { queue, now, advance } = opened;
    const hold = gate();
    let calls = 0;
    let ended = false;
    const stop = queue.work(async () => {
      calls++;
      await hold.passed;
      ended = true;
    });
    await comes(opened, () => calls === 1);
    await queue.send(now());
    const stopped = stop();
    hold.open();
    await stopped;
    assert.equal(ended, true);
    await queue.send(now()).catch(() => undefined);
    await advance(1);
    assert.equal(calls, 1);
  });

  test("many wake-ups at many times all arrive", async ({
    queue,
    now,
    advance,
    lateness_ms = LATENESS_MS,
  }) => {
    const times: number[] = [];
    queue.work(async () => void times.push(now().getTime()));
    await advance(1);
    const start = now().getTime();
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => queue.send(new Date(start + ((index * 37) % 50) * 100))),
    );
    await advance(5_001 + lateness_ms);
    for (let step = 0; step < 50; step++) {
      assert.ok(
        times.some((time) => time >= start + step * 100 && time <= start + step * 100 + lateness_ms),
        `the wake-up at ${step * 100} ms`,
      );
    }
  });

  test("closing stops the work and can be repeated", async ({ queue, advance }) => {
    let calls = 0;
    queue.work(async () => void calls++);
    await advance(1);
    await queue.close();
    const before = calls;
    await advance(60_000);
    assert.equal(calls, before);
    await queue.close();
  });
}

/** Advances until the condition holds, at most for as long as a wake-up may be late. */
async function comes(
  { advance, lateness_ms = LATENESS_MS }: OpenedQueue,
  isSo: () => boolean,
): Promise<void> {
  const step = Math.ceil(lateness_ms / 20);
  for (let late = 0; !isSo() && late < lateness_ms; late += step) await advance(step);
  assert.ok(isSo(), "a wake-up that was due did not come");
}
