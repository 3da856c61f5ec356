/**
 * Who may change a record that many transactions want to change at once. The second one to come to it can't
 * succeed: what it has seen is older than what the first one writes. It gives up at once, and goes again when
 * its turn comes.
 */
export interface Turns {
  /**
   * Waits for all of these; answers how to leave them. Waiting for several goes in one order for all, so
   * nobody waits in a ring.
   */
  take(keys: readonly string[]): Promise<() => void>;
  /** Takes a turn that nobody has or waits for; answers how to leave it, undefined when it is taken. */
  tryTake(key: string): (() => void) | undefined;
}

/** Turns within this process. Between processes the database decides. */
export function createTurns(): Turns {
  const queues = new Map<string, (() => void)[]>();

  const tryTake = (key: string) => {
    if (queues.has(key)) return undefined;
    queues.set(key, []);
    return () => leave(key);
  };
  const leave = (key: string) => {
    const next = queues.get(key)?.shift();
    if (next === undefined) queues.delete(key);
    else next();
  };
  const takeOne = (key: string) =>
    new Promise<() => void>((resolve) => {
      const leaveOnce = tryTake(key);
      if (leaveOnce === undefined) queues.get(key)?.push(() => resolve(() => leave(key)));
      else resolve(leaveOnce);
    });

  return {
    async take(keys) {
      const left: (() => void)[] = [];
      for (const key of keys.toSorted()) left.push(await takeOne(key));
      return () => {
        for (const leaveOne of left) leaveOne();
      };
    },
    tryTake,
  };
}
