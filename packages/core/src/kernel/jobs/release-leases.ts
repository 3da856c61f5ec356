import { LIMITS } from "../../catalogue/limits.ts";
import { iso } from "../../model/fields.ts";
import type { Services } from "../context.ts";

/** A job with more attempts waits for its lease to end, as it may be what crashed the process. */
export const QUICK_RESTARTS = 5;

/**
 * Releases what a dead process still holds: its jobs become due at once and its waiting slots are freed. Call
 * it only in a process that a lock guarantees to be the only one on its storage; others wait for leases to
 * end.
 */
export async function releaseLeasesOfDeadProcess({ storage, clock }: Services): Promise<void> {
  const now = clock.now().getTime();
  const at = (milliseconds: number) => iso(new Date(now + milliseconds));
  await Promise.all([
    storage.update(
      "jobs",
      {
        due_at: { gt: at(0), lte: at(LIMITS.job_lease_ms) },
        lease: { not: null },
        attempts: { lte: QUICK_RESTARTS },
      },
      { due_at: at(0), lease: null },
    ),
    storage.delete("slots", { expires_at: { gt: at(0) } }),
  ]);
}
