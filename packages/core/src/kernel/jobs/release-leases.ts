import { limits } from "../../catalogue/limits.ts";
import { iso } from "../../model/fields.ts";
import type { Services } from "../context.ts";

/** A job that was tried more often waits for the end of its lease: it may be what the processes died of. */
export const quickRestarts = 5;

/**
 * Frees what a process that died still holds: its jobs are due at once, its places for waits are free. Only
 * for a process that is the only one on its storage, which a lock must make sure of; others wait for the
 * leases to end.
 */
export async function releaseLeasesOfDeadProcess({ storage, clock }: Services): Promise<void> {
  const now = clock.now().getTime();
  const at = (milliseconds: number) => iso(new Date(now + milliseconds));
  await Promise.all([
    storage.update(
      "jobs",
      {
        due_at: { gt: at(0), lte: at(limits.job_lease_ms) },
        lease: { not: null },
        attempts: { lte: quickRestarts },
      },
      { due_at: at(0), lease: null },
    ),
    storage.delete("slots", { expires_at: { gt: at(0) } }),
  ]);
}
