import { eraseSomeRecords } from "../erasing/index.ts";
import type { Services } from "../kernel/context.ts";
import { endJob, postponeJob } from "../kernel/jobs/job-lease.ts";
import type { JobRecord } from "../model/jobs.ts";

const STEPS_PER_RUN = 20;

/**
 * Deletes what a deleted workspace left behind, in small transactions so that other writers get their turn;
 * `subject_id` is its sub-account. Its inboxes have jobs of their own; its addresses stay, so that nobody else
 * gets them, and its keys, so that they are answered as revoked.
 */
export async function purgeWorkspace(services: Services, job: JobRecord): Promise<void> {
  const now = services.clock.now();
  for (let step = 0; step < STEPS_PER_RUN; step++)
    if (!(await eraseSomeRecords(services, job.subject_id, now, { kept: ["keys"] })))
      return endJob(services.storage, job);
  await postponeJob(services.storage, job, services.clock.now());
  await services.queue.send(services.clock.now());
}
