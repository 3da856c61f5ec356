import { fail } from "@letterslot/core";

/** Permits held at a time, and how many callers may wait for one and for how long. */
interface SemaphoreLimits {
  permits: number;
  max_waiting: number;
  wait_ms: number;
}

interface Waiter {
  resume: () => void;
  timer: NodeJS.Timeout;
}

/**
 * A first-in, first-out semaphore: resolves with the function that releases the permit. Fails with
 * `storage_unavailable` if too many callers wait or the wait takes too long; it is then safe to retry.
 */
export function createSemaphore({
  permits,
  max_waiting,
  wait_ms,
}: SemaphoreLimits): () => Promise<() => void> {
  let held = 0;
  const waiters = new Set<Waiter>();

  function release(): void {
    held -= 1;
    const [next] = waiters;
    if (next === undefined) return;
    waiters.delete(next);
    clearTimeout(next.timer);
    next.resume();
  }

  function acquire(): () => void {
    held += 1;
    return release;
  }

  return async () => {
    if (held < permits) return acquire();
    if (waiters.size >= max_waiting) throw fail("storage_unavailable");
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiters.delete(waiter);
        reject(fail("storage_unavailable"));
      }, wait_ms);
      const waiter: Waiter = { resume: () => resolve(acquire()), timer };
      waiters.add(waiter);
    });
  };
}
