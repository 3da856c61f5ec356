import { fail, limits, type TextExtraction } from "@letterslot/core";
import type { Bounds } from "./bounds.ts";
import { startTextThread, type TextThread } from "./text-thread.ts";

const defaultThreads = 2;
/** Files that wait for a thread; with more the caller is asked to come again. */
const maxWaiting = 100;
const idleMs = 30_000;
const retryAfterSeconds = 5;

/** How much may be read at a time, and for how long; the interface's 10 seconds unless stated. */
export interface TextExtractionOptions {
  threads?: number;
  deadline_ms?: number;
}

/** A reader of files and the threads that it uses. */
export interface ThreadedTextExtraction extends TextExtraction {
  /** Ends the threads; files that are being read fail. */
  close(): Promise<void>;
}

/** The interface's limits, which hold in every thread. */
const bounds: Bounds = {
  input_bytes: limits.attachment_text_input_bytes,
  inflated_bytes: limits.attachment_text_inflated_bytes,
  ratio: limits.attachment_text_ratio,
  rows: limits.attachment_text_rows,
  columns: limits.attachment_text_columns,
  chars: limits.attachment_text_chars,
};

/**
 * Reads files in threads, which start when they are needed and end when they are idle. A file beyond its time
 * or memory has its thread ended; the others go on. With too many files waiting it fails with `rate_limited`.
 */
export function createTextExtraction(options: TextExtractionOptions = {}): ThreadedTextExtraction {
  const { threads = defaultThreads, deadline_ms = limits.attachment_text_ms } = options;
  const waiting: (() => void)[] = [];
  const all = new Set<TextThread>();
  let idle: TextThread[] = [];
  let places = threads;
  let closed = false;
  let rest: NodeJS.Timeout | undefined;

  async function takePlace(): Promise<void> {
    clearTimeout(rest);
    if (places > 0) {
      places -= 1;
      return;
    }
    if (waiting.length >= maxWaiting) throw fail("rate_limited", { retry_after_seconds: retryAfterSeconds });
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function givePlace(): void {
    const next = waiting.shift();
    if (next !== undefined) return next();
    places += 1;
    rest = setTimeout(() => void endIdle(), idleMs).unref();
  }

  async function endIdle(): Promise<void> {
    const ending = idle;
    idle = [];
    await Promise.all(ending.map(end));
  }

  async function end(thread: TextThread): Promise<void> {
    all.delete(thread);
    await thread.end();
  }

  async function takeThread(): Promise<TextThread> {
    for (let thread = idle.pop(); thread !== undefined; thread = idle.pop()) {
      if (!thread.spent()) return thread;
      await end(thread);
    }
    const thread = await startTextThread(bounds);
    all.add(thread);
    return thread;
  }

  return {
    async extract({ bytes, kind }) {
      await takePlace();
      try {
        if (closed) throw fail("storage_unavailable");
        const thread = await takeThread();
        // A copy of its own, which moves to the thread whole.
        const answer = await thread.read({ bytes: new Uint8Array(bytes), kind }, deadline_ms);
        if (thread.spent()) await end(thread);
        else idle.push(thread);
        // A file whose reading was broken off by the end of the process may be a good one.
        if (closed) throw fail("storage_unavailable");
        if ("refusal" in answer) throw fail(answer.refusal);
        return answer;
      } finally {
        givePlace();
      }
    },
    async close() {
      closed = true;
      clearTimeout(rest);
      await Promise.all([...all].map(end));
    },
  };
}
