import { Worker } from "node:worker_threads";

/** A worker that had nothing to do for this long is ended, which frees its memory. */
const IDLE_MS = 2_000;
/** Most of a task's garbage is as long as its content: a larger young generation would only take memory. */
const HEAP_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 3 };

/** A worker thread that does one task at a time, in order. */
export interface TaskThread<Task, Answer> {
  /**
   * Does a task; the buffers in `transfer` are moved to the thread instead of being copied. Rejects if the
   * thread ends without an answer, as when it runs out of memory; the next task gets a new one. It is ended after a
   * `large` task, whose garbage it would otherwise keep.
   */
  ask(task: Task, options?: { transfer?: ArrayBuffer[]; large?: boolean }): Promise<Answer>;
}

/** Creates a thread that runs `file` while there is something to do. It never keeps the process alive idly. */
export function createTaskThread<Task, Answer>(file: () => URL): TaskThread<Task, Answer> {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    const started = new Worker(file(), { resourceLimits: HEAP_LIMITS });
    started.once("exit", () => {
      if (worker === started) worker = undefined;
    });
    return started;
  }

  function end(running: Worker): void {
    if (worker === running) worker = undefined;
    void running.terminate();
  }

  async function askNow(task: Task, transfer: ArrayBuffer[], large: boolean): Promise<Answer> {
    clearTimeout(idle);
    const running = (worker ??= start());
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const ended = () => reject(new Error("the thread has ended"));
    running.once("message", resolve).once("error", reject).once("exit", ended);
    running.ref();
    running.postMessage(task, transfer);
    try {
      return await promise;
    } finally {
      running.removeAllListeners("message").removeAllListeners("error").off("exit", ended);
      // A thread that dies while it is idle has no task to fail, and the next one starts another; without a
      // listener, its error would end the process.
      running.on("error", () => undefined);
      running.unref();
      if (large) end(running);
      else idle = setTimeout(() => end(running), IDLE_MS).unref();
    }
  }

  return {
    ask(task, { transfer = [], large = false } = {}) {
      const answered = last.then(() => askNow(task, transfer, large));
      // The caller of a task handles its failure; the next task runs all the same.
      last = answered.catch(() => undefined);
      return answered;
    },
  };
}
