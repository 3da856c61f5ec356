import type { Services } from "../kernel/context.ts";
import { endJob, postponeJob } from "../kernel/jobs/job-lease.ts";
import type { Work } from "../kernel/work.ts";
import type { JobRecord } from "../model/jobs.ts";

const BLOB_GRACE_MS = 3600_000;

/**
 * Schedules the deletion of blobs once nothing uses them. The job runs an hour later, so that a mail arriving
 * meanwhile with the same bytes keeps them.
 */
export function scheduleBlobCollection(work: Work, hashes: readonly string[], now: Date): void {
  for (const hash of new Set(hashes))
    work.job({ kind: "blobs.collect", subject_id: hash, due_at: new Date(now.getTime() + BLOB_GRACE_MS) });
}

/**
 * Deletes a blob that nothing uses, with its extracted text. One that was put in the last hour may be about to be used:
 * it is looked at again an hour later.
 */
export async function collectBlobs(services: Services, job: JobRecord): Promise<void> {
  const used = await services.storage.count("blob_uses", { hash: job.subject_id }, 1);
  if (used === 0) {
    await services.storage.delete("attachment_texts", { hash: job.subject_id });
    const now = services.clock.now().getTime();
    if (!(await services.blobs.delete(job.subject_id, new Date(now - BLOB_GRACE_MS))))
      return postponeJob(services.storage, job, new Date(now + BLOB_GRACE_MS));
  }
  await endJob(services.storage, job);
}
