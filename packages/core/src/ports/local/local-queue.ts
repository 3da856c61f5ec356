import type { Clock } from "../clock.ts";
import type { Queue } from "../queue.ts";

/** The longest time that a timer of this platform can be set to. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Wake-ups closer together than this are one; they come at the later end, never early. */
const WAKE_GRAIN_MS = 5;

/**
 * A queue within this process: a timer for the earliest wake-up. Work begins with a wake-up, for what was due
 * before the process started; `sweep_ms` adds one at least so often, for what no wake-up told of (a clock
 * that was set, a process that died).
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
    // The wall clock may have been set since the timer was armed.
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
      if (time <= clock.now().getTime()) return wakeAll();
      wakeTimes.add(Math.ceil(time / WAKE_GRAIN_MS) * WAKE_GRAIN_MS);
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

/** Calls the handler once at a time; wake-ups that come during a call make one more call. */
function createWorker(handler: () => Promise<void>): Worker {
  let running: Promise<void> | undefined;
  let again = false;
  let stopped = false;

  const loop = async () => {
    // Begins in a turn of its own, so that `send` answers before the work starts.
    await new Promise((resolve) => setImmediate(resolve));
    while (again && !stopped) {
      again = false;
      // A handler that fails has told its own log; what it left undone is still due in storage.
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
