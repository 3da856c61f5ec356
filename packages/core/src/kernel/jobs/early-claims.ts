import type { JobRecord } from "../../model/jobs.ts";

/** A claim on jobs that a transaction is about to write: they are written with its lease. */
export interface EarlyClaim extends Pick<JobRecord, "lease" | "due_at" | "attempts"> {
  /** Has the worker do them, once they are committed. */
  start(jobs: readonly JobRecord[]): void;
  /** Gives the places back: the transaction failed, or is run again. Does nothing the second time, or after `start`. */
  free(): void;
}

/** Claims jobs for the worker of this process. */
export type ClaimEarly = (count: number) => EarlyClaim | undefined;

/**
 * Where transactions find the worker of this process. A job that it claims as it is written needs no commit that
 * claims it, for which a delivery would wait.
 */
export interface EarlyClaims {
  /** Undefined when no worker has so many places free, or when older jobs wait for one. */
  claim: ClaimEarly;
  /** Makes a worker the one that claims, until the returned function is called. */
  serve(claim: ClaimEarly): () => void;
}

/** Creates the meeting place; without a worker nothing is claimed early. */
export function createEarlyClaims(): EarlyClaims {
  let worker: ClaimEarly | undefined;
  return {
    claim: (count) => worker?.(count),
    serve(claim) {
      worker = claim;
      return () => {
        if (worker === claim) worker = undefined;
      };
    },
  };
}
