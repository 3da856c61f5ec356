import type { Clock } from "../src/ports/clock.ts";
import { createLocalQueue } from "../src/ports/local/local-queue.ts";
import type { Queue } from "../src/ports/queue.ts";

/** A queue in memory on the given clock: wake-ups come when the clock says so. */
export function createMemoryQueue(clock: Clock): Queue {
  return createLocalQueue({ clock });
}
