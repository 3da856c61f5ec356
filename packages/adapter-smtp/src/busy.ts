import { performance } from "node:perf_hooks";

/** How often a thread is looked at. */
export const LOOK_EVERY_MS = 100;
/** From this share of its time on it is called busy. */
const BUSY_SHARE = 0.5;

/** Tells whether the calling thread was busy for most of the time since it was last looked at, some tenth of a second ago. */
export function createBusyness(): () => boolean {
  let looked_at = performance.now();
  let seen = performance.eventLoopUtilization();
  let busy = false;
  return () => {
    const now = performance.now();
    if (now - looked_at < LOOK_EVERY_MS) return busy;
    const current = performance.eventLoopUtilization();
    busy = performance.eventLoopUtilization(current, seen).utilization > BUSY_SHARE;
    [looked_at, seen] = [now, current];
    return busy;
  };
}
