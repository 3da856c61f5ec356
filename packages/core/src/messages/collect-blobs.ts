import type { Services } from "../kernel/context.ts";
import { endJob } from "../kernel/jobs/job-lease.ts";
import type { Work } from "../kernel/work.ts";
import type { JobRecord } from "../model/jobs.ts";

const quietMs = 3600_000;

/**
 * Asks that bytes be deleted once nothing uses them. It waits an hour, so that a mail that is just coming in
 * with the same bytes keeps them.
 */
export function collectLater(work: Work, hashes: readonly string[], now: Date): void {
  for (const hash of new Set(hashes))
    work.job({ kind: "blobs.collect", subject_id: hash, due_at: new Date(now.getTime() + quietMs) });
}

/**
 * Deletes bytes that no message uses and that were not put in the last hour, and the text that was read in
 * them.
 */
export async function collectBlobs(services: Services, job: JobRecord): Promise<void> {
  const used = await services.storage.count("blob_uses", { hash: job.subject_id }, 1);
  if (used === 0) {
    await services.storage.delete("attachment_texts", { hash: job.subject_id });
    await services.blobs.delete(job.subject_id, new Date(services.clock.now().getTime() - quietMs));
  }
  await endJob(services.storage, job);
}
