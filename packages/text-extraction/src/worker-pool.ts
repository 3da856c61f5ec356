import { fail } from "@letterslot/core";
import type { Limits } from "./limits.ts";
import type { TextTask } from "./text-worker.ts";
import { type Answer, startTextWorker, type WorkerHandle } from "./worker-handle.ts";

const IDLE_MS = 30_000;
const RETRY_AFTER_SECONDS = 5;

/** Worker threads that read files, started on demand and ended when idle. */
export interface WorkerPool {
  /**
   * Reads a file. One that exceeds its time or memory gets its worker terminated, without affecting others. Fails with
   * `rate_limited` if too many files wait, and with `storage_unavailable` once the pool is closed.
   */
  read(task: TextTask, deadline_ms: number): Promise<Answer>;
  /** Ends the workers; files that are being read fail. */
  close(): Promise<void>;
}

/** How many threads a pool has at most, and how many files may wait for one; callers of any more must retry. */
export interface PoolSize {
  threads: number;
  waiting: number;
}

/** Creates a pool; no thread is started before the first file. */
export function createWorkerPool(size: PoolSize, limits: Limits): WorkerPool {
  const waiting: (() => void)[] = [];
  const all = new Set<WorkerHandle>();
  let idle: WorkerHandle[] = [];
  let free = size.threads;
  let closed = false;
  let idle_timer: NodeJS.Timeout | undefined;

  async function acquire(): Promise<void> {
    clearTimeout(idle_timer);
    if (free > 0) {
      free -= 1;
      return;
    }
    if (waiting.length >= size.waiting)
      throw fail("rate_limited", { retry_after_seconds: RETRY_AFTER_SECONDS });
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function release(): void {
    const next = waiting.shift();
    if (next !== undefined) return next();
    free += 1;
    idle_timer = setTimeout(() => void endIdle(), IDLE_MS).unref();
  }

  async function endIdle(): Promise<void> {
    const ending = idle;
    idle = [];
    await Promise.all(ending.map(end));
  }

  async function end(worker: WorkerHandle): Promise<void> {
    all.delete(worker);
    await worker.end();
  }

  async function takeWorker(): Promise<WorkerHandle> {
    for (let worker = idle.pop(); worker !== undefined; worker = idle.pop()) {
      if (!worker.spent()) return worker;
      await end(worker);
    }
    const worker = await startTextWorker(limits);
    all.add(worker);
    return worker;
  }

  return {
    async read(task, deadline_ms) {
      await acquire();
      try {
        if (closed) throw fail("storage_unavailable");
        const worker = await takeWorker();
        // A copy, which is transferred to the worker.
        const answer = await worker.read({ ...task, bytes: new Uint8Array(task.bytes) }, deadline_ms);
        if (worker.spent()) await end(worker);
        else idle.push(worker);
        // A file interrupted by shutdown may be fine.
        if (closed) throw fail("storage_unavailable");
        return answer;
      } finally {
        release();
      }
    },
    async close() {
      closed = true;
      clearTimeout(idle_timer);
      await Promise.all([...all].map(end));
    },
  };
}
