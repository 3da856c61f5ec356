/** How long the event loop is watched before its load is judged again. */
const WATCHED_MS = 500;
/** The part of that time without which it is under water: more comes than it can do. */
const BUSY = 0.95;

/** Answers, when it is asked again and again, whether the event loop lately had no rest. */
export function createLoadGauge(): () => boolean {
  let since = performance.now();
  let before = performance.eventLoopUtilization();
  let restless = false;
  return () => {
    const now = performance.now();
    if (now - since < WATCHED_MS) return restless;
    const current = performance.eventLoopUtilization();
    restless = performance.eventLoopUtilization(current, before).utilization > BUSY;
    [since, before] = [now, current];
    return restless;
  };
}
