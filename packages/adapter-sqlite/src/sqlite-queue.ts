import { type Clock, createLocalQueue, type Queue, systemClock } from "@letterslot/core/ports";

export { createLocalSignals as createSqliteSignals } from "@letterslot/core/ports";

/** The interval between polls for due work that no wake-up announced. */
const SWEEP_MS = 30_000;

/** A queue for one process, as a SQLite file is: timers, a wake-up at start and a slow sweep. */
export function createSqliteQueue(options: { clock?: Clock } = {}): Queue {
  return createLocalQueue({ clock: options.clock ?? systemClock, sweep_ms: SWEEP_MS });
}
