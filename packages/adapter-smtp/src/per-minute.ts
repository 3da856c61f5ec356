const WINDOW_MS = 60_000;
/** Addresses remembered at a time; beyond it the oldest window is forgotten. */
export const MAX_COUNTED_KEYS = 10_000;

/**
 * Counts per key in windows of a minute that begin with the first count; `steady` is a clock in milliseconds
 * that never jumps.
 */
export function createPerMinute(
  limit: number,
  steady: () => number = () => performance.now(),
): (key: string) => boolean {
  const windows = new Map<string, { began: number; count: number }>();
  return (key) => {
    const now = steady();
    const window = windows.get(key);
    if (window !== undefined && now - window.began < WINDOW_MS) {
      window.count += 1;
      return window.count <= limit;
    }
    windows.delete(key);
    windows.set(key, { began: now, count: 1 });
    const oldest = windows.keys().next();
    if (windows.size > MAX_COUNTED_KEYS && !oldest.done) windows.delete(oldest.value);
    return limit >= 1;
  };
}
