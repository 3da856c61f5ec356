import type { Clock } from "../src/ports/clock.ts";

/** A clock that only moves when told to. */
export interface ManualClock extends Clock {
  /**
   * Advances by that many milliseconds: due timers run in order at their own time, and their async effects
   * get time to settle.
   */
  advance(milliseconds: number): Promise<void>;
  /** Sets the wall time without moving the timers, as an operator or NTP does. */
  set(time: Date): void;
}

/** Event loop ticks given to a timer's effects before time moves on. */
const SETTLE_TURNS = 6;

interface Timer {
  at: number;
  order: number;
  run: () => void;
}

/**
 * Creates a clock for tests; it starts at 2026-01-01 by default. Time moves on only when nothing, such as a
 * database, is `busy`.
 */
export function createManualClock(
  start = new Date("2026-01-01T00:00:00.000Z"),
  busy = () => false,
): ManualClock {
  let steady = 0;
  let offset = start.getTime();
  let made = 0;
  const timers = new Set<Timer>();

  return {
    now: () => new Date(offset + steady),
    after(milliseconds, run) {
      const timer = { at: steady + Math.max(0, milliseconds), order: made++, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async advance(milliseconds) {
      const end = steady + milliseconds;
      await settle(busy);
      for (let timer = earliest(timers); timer !== undefined && timer.at <= end; timer = earliest(timers)) {
        timers.delete(timer);
        steady = Math.max(steady, timer.at);
        timer.run();
        await settle(busy);
      }
      steady = end;
      await settle(busy);
    },
    set(time) {
      offset = time.getTime() - steady;
    },
  };
}

function earliest(timers: Set<Timer>): Timer | undefined {
  let first: Timer | undefined;
  for (const timer of timers) {
    if (first === undefined || timer.at < first.at || (timer.at === first.at && timer.order < first.order))
      first = timer;
  }
  return first;
}

/** Lets promises and immediates run, and waits until nothing is busy. */
async function settle(busy: () => boolean): Promise<void> {
  for (let turn = 0; turn < SETTLE_TURNS; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (!busy()) continue;
    await new Promise((resolve) => setTimeout(resolve, 1));
    turn = -1;
  }
}
