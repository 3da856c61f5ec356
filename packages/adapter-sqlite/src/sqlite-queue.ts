import { type Clock, createLocalQueue, type Queue, systemClock } from "@letterslot/core";

/** What no wake-up told of is found this often. */
const SWEEP_MS = 30_000;

/**
 * A queue for one process, which is what a SQLite file is for: a timer, a wake-up at the start, a slow sweep.
 */
export function createSqliteQueue(options: { clock?: Clock } = {}): Queue {
  return createLocalQueue({ clock: options.clock ?? systemClock, sweep_ms: SWEEP_MS });
}
