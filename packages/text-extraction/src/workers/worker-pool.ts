import { fail } from "@letterslot/core/ports";
import { createKeptWorkers } from "@letterslot/node-kit";
import type { Limits } from "../limits.ts";
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

/** The maximum number of threads of a pool, and of files that wait for one; beyond that, callers must retry. */
export interface PoolSize {
  threads: number;
  waiting: number;
}

/** Creates a pool; no thread is started before the first file. */
export function createWorkerPool(size: PoolSize, limits: Limits): WorkerPool {
  const waiting: (() => void)[] = [];
  const workers = createKeptWorkers<WorkerHandle>(IDLE_MS, (worker) => worker.spent());
  let free = size.threads;
  let closed = false;

  async function acquire(): Promise<void> {
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
  }

  async function readWith(worker: WorkerHandle, task: TextTask, deadline_ms: number): Promise<Answer> {
    try {
      return await worker.read(task, deadline_ms);
    } finally {
      await workers.giveBack(worker);
    }
  }

  return {
    async read(task, deadline_ms) {
      await acquire();
      try {
        if (closed) throw fail("storage_unavailable");
        // Transferred to the worker. Copied before one is taken: of bytes that are gone there is no copy.
        const bytes = new Uint8Array(task.bytes);
        const worker = workers.take() ?? workers.add(await startTextWorker(limits));
        const answer = await readWith(worker, { ...task, bytes }, deadline_ms);
        // A file interrupted by shutdown may be fine.
        if (closed) throw fail("storage_unavailable");
        return answer;
      } finally {
        release();
      }
    },
    async close() {
      closed = true;
      await workers.close();
    },
  };
}
