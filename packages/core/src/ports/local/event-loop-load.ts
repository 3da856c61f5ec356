/**
 * Returns a function that tells whether the calling thread was busy for more than `busy_share` of the time
 * since the last measurement, at least `look_every_ms` ago. False until the first measurement, and always where nothing
 * measures it, as in Bun.
 */
export function createEventLoopLoad(options: { look_every_ms: number; busy_share: number }): () => boolean {
  const { look_every_ms, busy_share } = options;
  if (typeof performance.eventLoopUtilization !== "function") return () => false;
  let looked_at = performance.now();
  let seen = performance.eventLoopUtilization();
  let busy = false;
  return () => {
    const now = performance.now();
    if (now - looked_at < look_every_ms) return busy;
    const current = performance.eventLoopUtilization();
    busy = performance.eventLoopUtilization(current, seen).utilization > busy_share;
    [looked_at, seen] = [now, current];
    return busy;
  };
}
