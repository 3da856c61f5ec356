import type { Letterslot, Log } from "@letterslot/core";

const sweepEveryMs = 60_000;

/**
 * Sweeps once a minute, one sweep at a time, until the answered function is called; that waits for the sweep
 * under way.
 */
export function startSweeper(letterslot: Letterslot, log: Log): () => Promise<void> {
  let underWay = Promise.resolve();
  let running = false;
  const timer = setInterval(() => {
    if (running) return;
    running = true;
    underWay = letterslot
      .sweep()
      .catch((error: unknown) => log.error({ error }, "sweep failed"))
      .finally(() => {
        running = false;
      });
  }, sweepEveryMs);
  return () => {
    clearInterval(timer);
    return underWay;
  };
}
