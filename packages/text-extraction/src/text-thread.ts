import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { Bounds } from "./bounds.ts";
import type { TextAnswer, TextTask } from "./text-worker.ts";

const megabyte = 1024 * 1024;
/** Of objects. */
const heapMb = 160;
const youngHeapMb = 32;
/** Of objects and buffers together: the heap's own limit doesn't count buffers. */
const memoryBytes = 224 * megabyte;
/** A thread that grew this far is ended after its file, which gives the memory back. */
const keepBelowBytes = 96 * megabyte;
const lookEveryMs = 10;

type Answer = Exclude<TextAnswer, "ready">;

/** A thread that reads one file at a time. */
export interface TextThread {
  /**
   * Reads a file. A file that takes longer than `deadline_ms` or too much memory has its thread ended, and is
   * too large.
   */
  read(task: TextTask, deadline_ms: number): Promise<Answer>;
  /** It has ended, or should: it reads no more files. */
  spent(): boolean;
  end(): Promise<void>;
}

/** Starts a thread. Rejects when it can't start, which says nothing about any file. */
export async function startTextThread(bounds: Bounds): Promise<TextThread> {
  const worker = new Worker(workerFile(), {
    workerData: bounds,
    // Readers print warnings about what they read, which is mail.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngHeapMb },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  let spent = false;
  let tell: ((answer: Answer) => void) | undefined;
  const started = new Promise<void>((resolve, reject) => {
    worker.on("message", (answer: TextAnswer) => (answer === "ready" ? resolve() : tell?.(answer)));
    worker.on("error", (error: Error & { code?: string }) => {
      spent = true;
      reject(error);
      tell?.({
        refusal:
          error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "attachment_too_large" : "text_extraction_failed",
      });
    });
    worker.on("exit", () => {
      spent = true;
      reject(new Error("the thread ended before it began"));
      tell?.({ refusal: "text_extraction_failed" });
    });
  });
  await started;
  worker.unref();

  const end = async () => {
    spent = true;
    await worker.terminate();
  };

  const read: TextThread["read"] = async (task, deadline_ms) => {
    const answered = new Promise<Answer>((resolve) => {
      tell = resolve;
    });
    const giveUp = () => {
      tell?.({ refusal: "attachment_too_large" });
      void end();
    };
    let peak = 0;
    const deadline = setTimeout(giveUp, deadline_ms);
    const measure = async () => {
      peak = Math.max(peak, await memoryOf(worker));
      if (peak > memoryBytes && !spent) giveUp();
    };
    const look = setInterval(() => void measure(), lookEveryMs);
    worker.ref();
    worker.postMessage(task, [task.bytes.buffer as ArrayBuffer]);
    const answer = await answered;
    clearTimeout(deadline);
    clearInterval(look);
    tell = undefined;
    worker.unref();
    spent ||= peak > keepBelowBytes;
    return answer;
  };

  return { read, spent: () => spent, end };
}

async function memoryOf(worker: Worker): Promise<number> {
  // It fails when the thread has just ended, which is told elsewhere.
  const statistics = await worker.getHeapStatistics().catch(() => undefined);
  return statistics === undefined ? 0 : statistics.used_heap_size + statistics.external_memory;
}

/** The worker beside this file: TypeScript when run from source, JavaScript when built. */
function workerFile(): URL {
  const source = new URL("./text-worker.ts", import.meta.url);
  return existsSync(source) ? source : new URL("./text-worker.js", import.meta.url);
}
