import { Worker } from "node:worker_threads";
import { workerEnvironment } from "@letterslot/node-kit";
import type { Limits } from "../limits.ts";
import type { TextAnswer, TextTask } from "./text-worker.ts";

const MEGABYTE = 1024 * 1024;
const HEAP_MB = 160;
const YOUNG_HEAP_MB = 32;
/** Heap and buffers together, since the heap limit does not include buffers. */
const MAX_MEMORY_BYTES = 224 * MEGABYTE;
/** A worker that grew larger is ended after its file, to free the memory. */
const MAX_REUSED_BYTES = 96 * MEGABYTE;
const MEASURE_INTERVAL_MS = 10;

/** The result of reading a file. */
export type Answer = Exclude<TextAnswer, "ready">;

/** A worker thread that reads one file at a time. */
export interface WorkerHandle {
  /**
   * Reads a file. One that exceeds `deadline_ms` or the memory limit is too large, and its worker is ended.
   */
  read(task: TextTask, deadline_ms: number): Promise<Answer>;
  /** Whether it has ended, or should: it reads no more files. */
  spent(): boolean;
  end(): Promise<void>;
}

/** Starts a worker. Rejects if it cannot start, which is not the fault of a file. */
export async function startTextWorker(limits: Limits): Promise<WorkerHandle> {
  const worker = new Worker(workerFile(), {
    workerData: limits,
    env: workerEnvironment(),
    // The libraries print warnings that quote the file; those must not be logged.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  let spent = false;
  let resolveAnswer: ((answer: Answer) => void) | undefined;
  const started = new Promise<void>((resolve, reject) => {
    worker.on("message", (answer: TextAnswer) => (answer === "ready" ? resolve() : resolveAnswer?.(answer)));
    worker.on("error", (error: Error & { code?: string }) => {
      spent = true;
      reject(error);
      resolveAnswer?.({
        refusal:
          error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "attachment_too_large" : "text_extraction_failed",
      });
    });
    worker.on("exit", () => {
      spent = true;
      reject(new Error("the worker ended before it was ready"));
      resolveAnswer?.({ refusal: "text_extraction_failed" });
    });
  });
  await started;
  worker.unref();

  const end = async () => {
    spent = true;
    await worker.terminate();
  };

  const read: WorkerHandle["read"] = async (task, deadline_ms) => {
    const answered = new Promise<Answer>((resolve) => {
      resolveAnswer = resolve;
    });
    const giveUp = () => {
      resolveAnswer?.({ refusal: "attachment_too_large" });
      void end();
    };
    let peak = 0;
    const deadline = setTimeout(giveUp, deadline_ms);
    const measure = async () => {
      peak = Math.max(peak, await memoryOf(worker));
      if (peak > MAX_MEMORY_BYTES && !spent) giveUp();
    };
    const measuring = setInterval(() => void measure(), MEASURE_INTERVAL_MS);
    worker.ref();
    try {
      worker.postMessage(task, [task.bytes.buffer as ArrayBuffer]);
      return await answered;
    } finally {
      clearTimeout(deadline);
      clearInterval(measuring);
      resolveAnswer = undefined;
      worker.unref();
      spent ||= peak > MAX_REUSED_BYTES;
    }
  };

  return { read, spent: () => spent, end };
}

async function memoryOf(worker: Worker): Promise<number> {
  // Rejects if the worker has just ended, which the exit event reports.
  const statistics = await worker.getHeapStatistics().catch(() => undefined);
  return statistics === undefined ? 0 : statistics.used_heap_size + statistics.external_memory;
}

/** The worker beside this file: TypeScript from source, JavaScript when built. */
const workerFile = (): URL => new URL("./text-worker.ts", import.meta.url); // built: ./text-worker.js
