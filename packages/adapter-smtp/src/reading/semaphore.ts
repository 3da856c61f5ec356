import { fail } from "@letterslot/core/ports";
import { createBoundedMap } from "@letterslot/node-kit";

/** Permits held at a time, and how many callers may wait for one and for how long. */
interface SemaphoreLimits {
  permits: number;
  max_waiting: number;
  /** The maximum number of those for one network. */
  max_waiting_per_network: number;
  wait_ms: number;
  /** Use that is expected to take longer leaves the last permit to shorter use, if there are several. */
  short_ms: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}

/** A request for a permit: its network, and an estimate of the time it will be used. */
interface PermitRequest {
  /** Null: the service itself, or a client on its machine. */
  network: string | null;
  expected_ms: number;
}

interface Waiter extends PermitRequest {
  resume: () => void;
  timer: NodeJS.Timeout;
}

/** The half-life of a network's recorded use. */
const HALF_LIFE_MS = 30_000;
/** Networks whose use is remembered; beyond that the one that used a permit the longest ago is forgotten. */
const MAX_NETWORKS = 10_000;

/**
 * A semaphore whose permits are shared out by sending network, so that a flood leaves room for others, whether it comes
 * from one network or from many. If there are several permits, neither one network nor long use may hold all of them.
 * The next permit goes to the waiting request whose network, including the request, will have held permits for the
 * shortest time of late; within a network, to the oldest request. Null counts as one network that may hold all permits.
 * Resolves with the function that releases the permit. Fails with `storage_unavailable` if too many callers wait or the
 * wait takes too long; it is then safe to retry.
 */
export function createSemaphore({
  permits,
  max_waiting,
  max_waiting_per_network,
  wait_ms,
  short_ms,
  now = () => performance.now(),
}: SemaphoreLimits): (request: PermitRequest) => Promise<() => void> {
  const all_but_one = Math.max(1, permits - 1);
  const holding = createCount();
  const waiting = createCount();
  const waiters = new Set<Waiter>();
  const recent = createRecentUse(now);
  let held = 0;
  let held_long = 0;

  function mayHold({ network, expected_ms }: PermitRequest): boolean {
    if (held >= permits || (network !== null && holding.of(network) >= all_but_one)) return false;
    return expected_ms <= short_ms || held_long < all_but_one;
  }

  function acquire({ network, expected_ms }: PermitRequest): () => void {
    const since = now();
    const long = expected_ms > short_ms ? 1 : 0;
    held += 1;
    held_long += long;
    holding.add(network, 1);
    return () => {
      held -= 1;
      held_long -= long;
      holding.add(network, -1);
      recent.add(network, now() - since);
      serveNext();
    };
  }

  function serveNext(): void {
    let next: Waiter | undefined;
    let least = Number.POSITIVE_INFINITY;
    const seen = new Set<string | null>();
    for (const waiter of waiters) {
      const { network, expected_ms } = waiter;
      if (seen.has(network) || !mayHold(waiter)) continue;
      seen.add(network);
      const use = recent.of(network) + expected_ms;
      if (use >= least) continue;
      next = waiter;
      least = use;
    }
    if (next === undefined) return;
    forget(next);
    next.resume();
    serveNext();
  }

  function forget(waiter: Waiter): void {
    waiters.delete(waiter);
    waiting.add(waiter.network, -1);
    clearTimeout(waiter.timer);
  }

  return async (request) => {
    const { network } = request;
    if (mayHold(request)) return acquire(request);
    if (waiters.size >= max_waiting) throw fail("storage_unavailable");
    if (network !== null && waiting.of(network) >= max_waiting_per_network) throw fail("storage_unavailable");
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        forget(waiter);
        reject(fail("storage_unavailable"));
      }, wait_ms);
      const waiter: Waiter = { ...request, resume: () => resolve(acquire(request)), timer };
      waiters.add(waiter);
      waiting.add(network, 1);
    });
  };
}

/** Tracks the time for which each network recently held permits, with exponential decay. */
function createRecentUse(now: () => number) {
  const uses = createBoundedMap<string | null, { ms: number; at: number }>(MAX_NETWORKS);
  const of = (network: string | null): number => {
    const use = uses.get(network);
    return use === undefined ? 0 : use.ms * 0.5 ** ((now() - use.at) / HALF_LIFE_MS);
  };
  return {
    of,
    add(network: string | null, ms: number) {
      const sum = of(network) + ms;
      uses.set(network, { ms: sum, at: now() });
    },
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
