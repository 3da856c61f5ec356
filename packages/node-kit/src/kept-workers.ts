/** The abilities that a worker needs to be kept. */
interface Ending {
  end(): Promise<void>;
}

/** The workers of a pool: in use, or kept for the next task. */
export interface KeptWorkers<W extends Ending> {
  /** A worker that was kept, and isn't spent; undefined when a new one is to be started. */
  take(): W | undefined;
  /** Notes a worker that was started for a task; returns it. */
  add(worker: W): W;
  /** Keeps a worker whose task is done; ends it if it is spent, or once nobody took it for a while and others stay. */
  giveBack(worker: W): Promise<void>;
  /** Ends all workers, and from then on each that is given back. */
  close(): Promise<void>;
}

/**
 * Keeps workers that nobody uses for `idle_ms`, and `always` of them for good, which holds no process open. `spent` tells
 * those that have ended, or should: they get no more tasks.
 */
export function createKeptWorkers<W extends Ending>(
  idle_ms: number,
  spent: (worker: W) => boolean,
  always = 0,
): KeptWorkers<W> {
  const all = new Set<W>();
  const idle = new Map<W, NodeJS.Timeout>();
  let closed = false;

  function end(worker: W): Promise<void> {
    clearTimeout(idle.get(worker));
    idle.delete(worker);
    all.delete(worker);
    return worker.end();
  }

  return {
    take() {
      for (const [worker, timer] of idle) {
        clearTimeout(timer);
        idle.delete(worker);
        if (!spent(worker)) return worker;
        void end(worker);
      }
      return undefined;
    },
    add(worker) {
      all.add(worker);
      return worker;
    },
    async giveBack(worker) {
      if (closed || spent(worker)) return end(worker);
      const endUnlessLast = () => {
        const alive = [...idle.keys()].filter((each) => !spent(each));
        if (spent(worker) || alive.length > always) void end(worker);
      };
      idle.set(worker, setTimeout(endUnlessLast, idle_ms).unref());
    },
    async close() {
      closed = true;
      await Promise.all([...all].map(end));
    },
  };
}
