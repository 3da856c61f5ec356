import { LIMITS } from "../../catalogue/limits.ts";
import { iso } from "../../model/fields.ts";
import type { JobRecord } from "../../model/jobs.ts";
import type { Services } from "../context.ts";

/** Two renewals in a row may fail before another worker takes the job. */
const RENEW_EVERY_MS = LIMITS.job_lease_ms / 3;

/**
 * Renews the leases of running jobs, so that leases can be short and a dead worker's jobs are soon retried.
 */
export interface LeaseKeeper {
  /** Renews the job's lease until the returned function is called. */
  hold(job: JobRecord): () => void;
}

/**
 * Creates a lease keeper for one worker. It sets a timer only while jobs run, and writes only for long jobs.
 */
export function createLeaseKeeper({
  storage,
  clock,
  log,
}: Pick<Services, "storage" | "clock" | "log">): LeaseKeeper {
  const held = new Set<JobRecord>();
  let heldBefore: JobRecord[] = [];
  let cancelTick: (() => void) | undefined;

  const tick = () => {
    cancelTick = clock.after(RENEW_EVERY_MS, tick);
    // Jobs started since the last tick still have most of their lease, and most end before the next.
    const jobs = heldBefore.filter((job) => held.has(job));
    heldBefore = [...held];
    if (jobs.length > 0)
      void renew(jobs).catch((error: unknown) => log.warn({ error }, "leases not renewed"));
  };
  const renew = (jobs: JobRecord[]) => {
    const leases = new Set(jobs.flatMap(({ lease }) => lease ?? []));
    const due_at = iso(new Date(clock.now().getTime() + LIMITS.job_lease_ms));
    return storage.update(
      "jobs",
      { id: { in: jobs.map(({ id }) => id) }, lease: { in: [...leases] } },
      { due_at },
    );
  };

  return {
    hold(job) {
      held.add(job);
      cancelTick ??= clock.after(RENEW_EVERY_MS, tick);
      return () => {
        held.delete(job);
        if (held.size > 0) return;
        cancelTick?.();
        cancelTick = undefined;
        heldBefore = [];
      };
    },
  };
}
