import type { DomainReportReader } from "@letterslot/core/ports";
import { FILE_LIMITS } from "../text-extraction.ts";
import { createWorkerPool } from "../workers/worker-pool.ts";

const DEADLINE_MS = 5_000;
/** Reports come in the night, all at once: their senders try again. */
const MAX_WAITING = 20;

/** Reading of domains' reports with its worker thread. */
export interface ThreadedReportReader extends DomainReportReader {
  /** Ends the worker; reports that are being read are none. */
  close(): Promise<void>;
}

/**
 * Reads reports about domains in a worker thread of its own, started with the first one and ended when idle. A file that
 * exceeds a limit or five seconds is no report. Fails with `rate_limited` while twenty others wait.
 */
export function createReportReader(): ThreadedReportReader {
  const pool = createWorkerPool({ threads: 1, waiting: MAX_WAITING }, { ...FILE_LIMITS, sheet_names: false });
  return {
    async read(bytes) {
      const answer = await pool.read({ bytes, kind: "report" }, DEADLINE_MS);
      return "report" in answer ? answer.report : null;
    },
    close: pool.close,
  };
}
