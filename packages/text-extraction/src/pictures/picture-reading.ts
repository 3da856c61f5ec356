import type { PictureCodes } from "@letterslot/core/ports";
import { FILE_LIMITS } from "../text-extraction.ts";
import { createWorkerPool } from "../workers/worker-pool.ts";

/** A mail waits for its pictures: a large one takes a tenth of this, the first one also loads the decoder. */
const DEADLINE_MS = 2_000;
/** Bounded, so that a flood of pictures delays no mail by more than a few seconds. */
const MAX_WAITING = 8;

/** Reading of pictures with its worker thread. */
export interface ThreadedPictureCodes extends PictureCodes {
  /** Ends the worker; pictures that are being read have no codes. */
  close(): Promise<void>;
}

/**
 * Reads the QR codes of pictures in a worker thread of its own, started with the first picture and ended when idle. A
 * picture that is too large, takes longer than two seconds or can't be decoded has none. Fails with `rate_limited` while
 * eight others wait.
 */
export function createPictureCodes(): ThreadedPictureCodes {
  const pool = createWorkerPool({ threads: 1, waiting: MAX_WAITING }, { ...FILE_LIMITS, sheet_names: false });
  return {
    async read(bytes) {
      const answer = await pool.read({ bytes, kind: "picture" }, DEADLINE_MS);
      return "codes" in answer ? answer.codes : [];
    },
    close: pool.close,
  };
}
