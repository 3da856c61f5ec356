import { fail } from "@letterslot/core";

/** How many work at once, how many may wait for it, and how long each may wait. */
interface TurnLimits {
  at_once: number;
  waiting: number;
  wait_ms: number;
}

interface Waiter {
  begin: () => void;
  timer: NodeJS.Timeout;
}

/**
 * Hands out turns in the order they are asked for; a turn is over when the answered function is called. Fails
 * with `storage_unavailable` when too many wait already or the wait takes too long: nothing was begun, so it
 * can be asked for again.
 */
export function createTurns({ at_once, waiting, wait_ms }: TurnLimits): () => Promise<() => void> {
  let working = 0;
  const waiters = new Set<Waiter>();

  function end(): void {
    working -= 1;
    const [next] = waiters;
    if (next === undefined) return;
    waiters.delete(next);
    clearTimeout(next.timer);
    next.begin();
  }

  function begin(): () => void {
    working += 1;
    return end;
  }

  return async () => {
    if (working < at_once) return begin();
    if (waiters.size >= waiting) throw fail("storage_unavailable");
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiters.delete(waiter);
        reject(fail("storage_unavailable"));
      }, wait_ms);
      const waiter: Waiter = { begin: () => resolve(begin()), timer };
      waiters.add(waiter);
    });
  };
}
