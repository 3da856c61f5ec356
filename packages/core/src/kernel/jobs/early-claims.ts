import type { JobRecord } from "../../model/jobs.ts";

/** A claim on jobs that a transaction is about to write with its lease. */
export interface EarlyClaim extends Pick<JobRecord, "lease" | "due_at" | "attempts"> {
  /** Starts the jobs in the worker once they are committed. */
  start(jobs: readonly JobRecord[]): void;
  /**
   * Releases the claim because the transaction failed or is retried. Does nothing the second time, or after `start`.
   */
  free(): void;
}

/** Claims jobs for the worker of this process. */
export type ClaimEarly = (count: number) => EarlyClaim | undefined;

/**
 * The link between transactions and the worker of this process. A job claimed as it is written needs no separate commit
 * to claim it, which would delay its delivery.
 */
export interface EarlyClaims {
  /** Undefined when no worker has that many free places, or when older jobs wait for one. */
  claim: ClaimEarly;
  /** Registers a worker as the one that claims, until the returned function is called. */
  serve(claim: ClaimEarly): () => void;
}

/** Creates the link; without a worker nothing is claimed early. */
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
