/**
 * Tells, when it is asked again and again, whether the calling thread was at work for more than `busy_share`
 * of its time since it last judged, `look_every_ms` ago or longer. Rested until it has looked once.
 */
export function createEventLoopLoad(options: { look_every_ms: number; busy_share: number }): () => boolean {
  const { look_every_ms, busy_share } = options;
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
