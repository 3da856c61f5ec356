import { fail, LIMITS, type TextExtraction } from "@letterslot/core/ports";
import type { Limits } from "./limits.ts";
import { createWorkerPool } from "./workers/worker-pool.ts";

const DEFAULT_THREADS = 2;
const MAX_WAITING = 100;

/** Options for reading files. */
export interface TextExtractionOptions {
  /** Files read at a time. Default: 2. */
  threads?: number;
  /** The time limit for each, in milliseconds. Default: the interface's 10 seconds. */
  deadlineMs?: number;
  /** Whether the text of a workbook has the name of each sheet above its rows. Default: false. */
  sheetNames?: boolean;
}

/** Text extraction with its worker threads. */
export interface ThreadedTextExtraction extends TextExtraction {
  /** Ends the workers; files that are being read fail. */
  close(): Promise<void>;
}

/** The limits stated in the interface. */
export const FILE_LIMITS: Omit<Limits, "sheet_names"> = {
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
  const {
    threads = DEFAULT_THREADS,
    deadlineMs: deadline_ms = LIMITS.attachment_text_ms,
    sheetNames: sheet_names = false,
  } = options;
  const pool = createWorkerPool({ threads, waiting: MAX_WAITING }, { ...FILE_LIMITS, sheet_names });
  return {
    async extract(file) {
      const answer = await pool.read(file, deadline_ms);
      if ("refusal" in answer) throw fail(answer.refusal);
      if ("codes" in answer || "report" in answer) throw fail("text_extraction_failed");
      return answer;
    },
    close: pool.close,
  };
}
