import type { Clock } from "../clock.ts";
import type { Queue } from "../queue.ts";

/** The longest delay that a timer supports. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Wake-ups within this interval are merged at its end, never early. */
const WAKE_GRAIN_MS = 5;
/**
 * The same for those that are further ahead than `FAR_MS`: each look at a busy service's jobs asks for one at the end of
 * their leases, and most find nothing to do.
 */
const FAR_GRAIN_MS = 100;
const FAR_MS = 5_000;

/**
 * An in-process queue: a timer for the earliest wake-up. Work starts with a wake-up for jobs that were due
 * before the process started; `sweep_ms` adds periodic ones for jobs without a wake-up (the clock was set, a
 * process died).
 */
export function createLocalQueue(options: { clock: Clock; sweep_ms?: number }): Queue {
  const { clock, sweep_ms } = options;
  const workers = new Set<Worker>();
  const wakeTimes = new Set<number>();
  let cancelTimer: (() => void) | undefined;
  let timerAt = Infinity;
  let cancelSweep: (() => void) | undefined;
  let closed = false;

  const wakeAll = () => {
    for (const worker of workers) worker.wake();
  };

  const arm = () => {
    let earliest = Infinity;
    for (const time of wakeTimes) if (time < earliest) earliest = time;
    if (earliest >= timerAt && cancelTimer !== undefined) return;
    cancelTimer?.();
    cancelTimer = undefined;
    timerAt = earliest;
    if (earliest === Infinity) return;
    const wait = Math.min(Math.max(earliest - clock.now().getTime(), 0), LONGEST_TIMER_MS);
    cancelTimer = clock.after(wait, ring);
  };

  const ring = () => {
    cancelTimer = undefined;
    timerAt = Infinity;
    const now = clock.now().getTime();
    let due = false;
    for (const time of wakeTimes) {
      if (time > now) continue;
      wakeTimes.delete(time);
      due = true;
    }
    if (due) wakeAll();
    arm();
  };

  const sweep = () => {
    cancelSweep = undefined;
    if (closed || sweep_ms === undefined) return;
    wakeAll();
    // The wall clock may have been set since the timer was started.
    ring();
    cancelSweep = clock.after(sweep_ms, sweep);
  };

  const stopAll = async () => {
    await Promise.all([...workers].map((worker) => worker.stop()));
    workers.clear();
  };

  return {
    async send(wake_at) {
      if (closed) throw new Error("the queue is closed");
      const time = wake_at.getTime();
      const now = clock.now().getTime();
      if (time <= now) return wakeAll();
      const grain_ms = time > now + FAR_MS ? FAR_GRAIN_MS : WAKE_GRAIN_MS;
      wakeTimes.add(Math.ceil(time / grain_ms) * grain_ms);
      arm();
    },
    work(handler) {
      if (closed) throw new Error("the queue is closed");
      const worker = createWorker(handler);
      workers.add(worker);
      worker.wake();
      if (sweep_ms !== undefined) cancelSweep ??= clock.after(sweep_ms, sweep);
      return async () => {
        workers.delete(worker);
        await worker.stop();
      };
    },
    async close() {
      closed = true;
      cancelTimer?.();
      cancelSweep?.();
      wakeTimes.clear();
      await stopAll();
    },
  };
}

interface Worker {
  wake(): void;
  stop(): Promise<void>;
}

/** Calls the handler one call at a time; wake-ups during a call cause one more call. */
function createWorker(handler: () => Promise<void>): Worker {
  let running: Promise<void> | undefined;
  let again = false;
  let stopped = false;

  const loop = async () => {
    // Start on the next tick, so that `send` returns before the work starts.
    await new Promise((resolve) => setImmediate(resolve));
    while (again && !stopped) {
      again = false;
      // A failed handler has logged its error; unfinished work is still due in storage.
      await handler().catch(() => undefined);
    }
    running = undefined;
  };

  return {
    wake() {
      if (stopped) return;
      again = true;
      running ??= loop();
    },
    async stop() {
      stopped = true;
      await running;
    },
  };
}
