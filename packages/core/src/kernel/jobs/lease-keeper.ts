import { limits } from "../../catalogue/limits.ts";
import { iso } from "../../model/fields.ts";
import type { JobRecord } from "../../model/jobs.ts";
import type { Services } from "../context.ts";

/** Two renewals may fail before another worker takes the job. */
const renewEveryMs = limits.job_lease_ms / 3;

/**
 * Keeps the leases of jobs under way, so that they can be short: a dead worker's jobs are taken over soon, a
 * slow one's are not.
 */
export interface LeaseKeeper {
  /** Renews the job's lease every so often until the answered function is called. */
  hold(job: JobRecord): () => void;
}

/**
 * A keeper for one worker. It sets timers only while something is held, and writes only for jobs that take
 * long.
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
    cancelTick = clock.after(renewEveryMs, tick);
    // What was begun since the last look has most of its lease before it, and mostly ends by itself.
    const jobs = heldBefore.filter((job) => held.has(job));
    heldBefore = [...held];
    if (jobs.length > 0)
      void renew(jobs).catch((error: unknown) => log.warn({ error }, "leases not renewed"));
  };
  const renew = (jobs: JobRecord[]) => {
    const leases = new Set(jobs.flatMap(({ lease }) => lease ?? []));
    const due_at = iso(new Date(clock.now().getTime() + limits.job_lease_ms));
    return storage.update(
      "jobs",
      { id: { in: jobs.map(({ id }) => id) }, lease: { in: [...leases] } },
      { due_at },
    );
  };

  return {
    hold(job) {
      held.add(job);
      cancelTick ??= clock.after(renewEveryMs, tick);
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
