import { fail, LIMITS, type TextExtraction } from "@letterslot/core";
import type { Limits } from "./limits.ts";
import { startTextWorker, type WorkerHandle } from "./worker-handle.ts";

const DEFAULT_THREADS = 2;
/** Files that may wait for a worker; callers of any more must retry. */
const MAX_WAITING = 100;
const IDLE_MS = 30_000;
const RETRY_AFTER_SECONDS = 5;

/** How files are read. */
export interface TextExtractionOptions {
  /** Files read at a time. Default: 2. */
  threads?: number;
  /** The time limit for each, in milliseconds. Default: the interface's 10 seconds. */
  deadline_ms?: number;
  /** Whether the text of a workbook has the name of each sheet above its rows. Default: false. */
  sheet_names?: boolean;
}

/** Text extraction with its worker threads. */
export interface ThreadedTextExtraction extends TextExtraction {
  /** Ends the workers; files that are being read fail. */
  close(): Promise<void>;
}

/** The limits stated in the interface. */
const FILE_LIMITS: Omit<Limits, "sheet_names"> = {
  input_bytes: LIMITS.attachment_text_input_bytes,
  inflated_bytes: LIMITS.attachment_text_inflated_bytes,
  ratio: LIMITS.attachment_text_ratio,
  rows: LIMITS.attachment_text_rows,
  columns: LIMITS.attachment_text_columns,
  chars: LIMITS.attachment_text_chars,
};

/**
 * Extracts text in worker threads, started on demand and ended when idle. A file that exceeds its time or
 * memory gets its worker terminated, without affecting others. Fails with `rate_limited` if too many files
 * wait.
 */
export function createTextExtraction(options: TextExtractionOptions = {}): ThreadedTextExtraction {
  const { threads = DEFAULT_THREADS, deadline_ms = LIMITS.attachment_text_ms, sheet_names = false } = options;
  const waiting: (() => void)[] = [];
  const all = new Set<WorkerHandle>();
  let idle: WorkerHandle[] = [];
  let free = threads;
  let closed = false;
  let idle_timer: NodeJS.Timeout | undefined;

  async function acquire(): Promise<void> {
    clearTimeout(idle_timer);
    if (free > 0) {
      free -= 1;
      return;
    }
    if (waiting.length >= MAX_WAITING)
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
    const worker = await startTextWorker({ ...FILE_LIMITS, sheet_names });
    all.add(worker);
    return worker;
  }

  return {
    async extract({ bytes, kind }) {
      await acquire();
      try {
        if (closed) throw fail("storage_unavailable");
        const worker = await takeWorker();
        // A copy, which is transferred to the worker.
        const answer = await worker.read({ bytes: new Uint8Array(bytes), kind }, deadline_ms);
        if (worker.spent()) await end(worker);
        else idle.push(worker);
        // A file interrupted by shutdown may be fine.
        if (closed) throw fail("storage_unavailable");
        if ("refusal" in answer) throw fail(answer.refusal);
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
