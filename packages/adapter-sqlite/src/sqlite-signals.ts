import { createLocalSignals, type Signals } from "@letterslot/core";

/**
 * Signals for one process, which is what a SQLite file is for: other processes on the same file hear nothing.
 */
export function createSqliteSignals(): Signals {
  return createLocalSignals();
}
