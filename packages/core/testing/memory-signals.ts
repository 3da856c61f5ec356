import { createLocalSignals } from "../src/ports/local/local-signals.ts";
import type { Signals } from "../src/ports/signals.ts";

/** Signals in memory: listeners are called before `publish` resolves. */
export function createMemorySignals(): Signals {
  return createLocalSignals();
}
