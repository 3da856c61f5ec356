/** Exclusive locks by key, within this process. */
export interface RecordLocks {
  /** Waits for all of these locks, in key order to avoid deadlocks; resolves with their release function. */
  acquire(keys: readonly string[]): Promise<() => void>;
  /** Takes a free lock and returns its release function; undefined when the lock is held. */
  tryAcquire(key: string): (() => void) | undefined;
  /** Runs `run` while holding a lock. */
  hold<T>(key: string, run: () => Promise<T>): Promise<T>;
}

/** Creates a set of locks; waiters get a lock in order. */
export function createRecordLocks(): RecordLocks {
  const waiters = new Map<string, (() => void)[]>();

  const release = (key: string) => {
    const next = waiters.get(key)?.shift();
    if (next === undefined) waiters.delete(key);
    else next();
  };
  const tryAcquire = (key: string) => {
    if (waiters.has(key)) return undefined;
    waiters.set(key, []);
    return () => release(key);
  };
  const acquireOne = (key: string) =>
    new Promise<() => void>((resolve) => {
      const acquired = tryAcquire(key);
      if (acquired === undefined) waiters.get(key)?.push(() => resolve(() => release(key)));
      else resolve(acquired);
    });

  return {
    async acquire(keys) {
      const releases: (() => void)[] = [];
      for (const key of keys.toSorted()) releases.push(await acquireOne(key));
      return () => {
        for (const releaseOne of releases) releaseOne();
      };
    },
    tryAcquire,
    async hold(key, run) {
      const releaseOne = await acquireOne(key);
      try {
        return await run();
      } finally {
        releaseOne();
      }
    },
  };
}
