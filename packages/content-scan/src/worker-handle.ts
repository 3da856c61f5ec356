import { Worker } from "node:worker_threads";
import { workerEnvironment } from "@letterslot/node-kit";
import type { ScanAnswer, ScanTask, TextAnswer } from "./scan-worker.ts";

const HEAP_MB = 256;

/** A worker thread that scans the texts of one mail at a time. */
export interface WorkerHandle {
  /**
   * Scans texts and hands each answer to `onAnswer` as it comes. Resolves when all are done, when the time is over, or
   * when the worker ended; in the latter cases the worker is spent.
   */
  scan(task: ScanTask, deadline_ms: number, onAnswer: (answer: TextAnswer) => void): Promise<void>;
  /** Whether it has ended: it scans no more. */
  spent(): boolean;
  end(): Promise<void>;
}

/** Starts a worker. Rejects if it can't start. */
export async function startContentWorker(key: Uint8Array): Promise<WorkerHandle> {
  const worker = new Worker(workerFile(), {
    workerData: { key },
    env: workerEnvironment(),
    // What a library prints may quote the mail.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  let spent = false;
  let finish: (() => void) | undefined;
  let take: ((answer: TextAnswer) => void) | undefined;
  await new Promise<void>((resolve, reject) => {
    worker.on("message", (answer: ScanAnswer) => {
      if (answer === "ready") return resolve();
      for (const each of answer.answers) take?.(each);
      if (answer.done) finish?.();
    });
    worker.on("error", (error) => {
      spent = true;
      reject(error);
      finish?.();
    });
    worker.on("exit", () => {
      spent = true;
      reject(new Error("the worker ended before it was ready"));
      finish?.();
    });
  });
  worker.unref();

  const end = async () => {
    spent = true;
    await worker.terminate();
  };
  return {
    spent: () => spent,
    end,
    async scan(task, deadline_ms, onAnswer) {
      const finished = new Promise<void>((resolve) => {
        finish = resolve;
      });
      take = onAnswer;
      const deadline = setTimeout(() => void end(), deadline_ms);
      worker.ref();
      worker.postMessage(task, []);
      await finished;
      clearTimeout(deadline);
      [finish, take] = [undefined, undefined];
      worker.unref();
    },
  };
}

/** The worker beside this file: TypeScript from source, JavaScript when built. */
const workerFile = (): URL => new URL("./scan-worker.ts", import.meta.url); // built: ./scan-worker.js
