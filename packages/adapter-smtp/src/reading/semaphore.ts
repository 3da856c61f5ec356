import { fail } from "@letterslot/core";

/** Permits held at a time, and how many callers may wait for one and for how long. */
interface SemaphoreLimits {
  permits: number;
  max_waiting: number;
  /** Of those, how many of one network. */
  max_waiting_per_network: number;
  wait_ms: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}

interface Waiter {
  network: string | null;
  resume: () => void;
  timer: NodeJS.Timeout;
}

/** How long the use of a permit counts against its network. */
const USE_COUNTS_MS = 60_000;

/**
 * A semaphore whose permits are shared out by sending network, so that a flood from one leaves room for the
 * others: a network never holds the last permit if there are several, and of those that wait, the one that
 * held permits for the least time in this minute is served first; within a network, the first to come. Null,
 * the service itself and clients on its machine, counts as one network that may hold all permits. Resolves
 * with the function that releases the permit. Fails with `storage_unavailable` if too many callers wait or
 * the wait takes too long; it is then safe to retry.
 */
export function createSemaphore({
  permits,
  max_waiting,
  max_waiting_per_network,
  wait_ms,
  now = () => performance.now(),
}: SemaphoreLimits): (network: string | null) => Promise<() => void> {
  const per_network = Math.max(1, permits - 1);
  const holding = createCount();
  const waiting = createCount();
  const waiters = new Set<Waiter>();
  let held = 0;
  let used = new Map<string | null, number>();
  let counted_from = now();

  function noteUse(network: string | null, ms: number): void {
    if (now() - counted_from > USE_COUNTS_MS) {
      used = new Map();
      counted_from = now();
    }
    used.set(network, (used.get(network) ?? 0) + ms);
  }

  function mayHold(network: string | null): boolean {
    return held < permits && (network === null || holding.of(network) < per_network);
  }

  function acquire(network: string | null): () => void {
    const since = now();
    held += 1;
    holding.add(network, 1);
    return () => {
      held -= 1;
      holding.add(network, -1);
      noteUse(network, now() - since);
      serveNext();
    };
  }

  function serveNext(): void {
    let next: Waiter | undefined;
    for (const waiter of waiters) {
      if (!mayHold(waiter.network)) continue;
      if (next === undefined || useOf(waiter) < useOf(next)) next = waiter;
    }
    if (next === undefined) return;
    forget(next);
    next.resume();
  }

  const useOf = ({ network }: Waiter): number => used.get(network) ?? 0;

  function forget(waiter: Waiter): void {
    waiters.delete(waiter);
    waiting.add(waiter.network, -1);
    clearTimeout(waiter.timer);
  }

  return async (network) => {
    if (mayHold(network)) return acquire(network);
    if (waiters.size >= max_waiting) throw fail("storage_unavailable");
    if (network !== null && waiting.of(network) >= max_waiting_per_network) throw fail("storage_unavailable");
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        forget(waiter);
        reject(fail("storage_unavailable"));
      }, wait_ms);
      const waiter: Waiter = { network, resume: () => resolve(acquire(network)), timer };
      waiters.add(waiter);
      waiting.add(network, 1);
    });
  };
}

/** Counts per network; a network without any takes no memory. */
function createCount() {
  const counts = new Map<string | null, number>();
  const of = (network: string | null): number => counts.get(network) ?? 0;
  return {
    of,
    add(network: string | null, change: number) {
      const count = of(network) + change;
      if (count > 0) counts.set(network, count);
      else counts.delete(network);
    },
  };
}
