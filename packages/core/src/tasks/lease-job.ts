import type { Services } from "../kernel/context.ts";
import { endJob, postponeJob } from "../kernel/jobs/job-lease.ts";
import { unitOfWork } from "../kernel/unit-of-work.ts";

import { iso } from "../model/fields.ts";
import type { JobRecord } from "../model/jobs.ts";
import { changeTask } from "./move.ts";
import { afterFailure, isClaimed } from "./rules.ts";

/**
 * Takes a task back from a worker whose lease ran out; one that was prolonged meanwhile is looked at again at
 * its new end.
 */
export async function endLease(services: Services, job: JobRecord): Promise<void> {
  const task = await services.storage.get("tasks", job.subject_id);
  if (task === undefined) return endJob(services.storage, job);
  const now = services.clock.now();
  await unitOfWork(services, task.account_id, now, async (work) => {
    const current = await work.get("tasks", task.id);
    if (current?.claim == null) return endJob(work, job);
    if (isClaimed(current, iso(now))) return postponeJob(work, job, new Date(current.claim.expires_at));
    await endJob(work, job);
    const change = {
      ...afterFailure(current),
      claim: null,
      claim_token: null,
      last_error: "The worker's lease ran out.",
    };
    await changeTask(work, current, change, now);
  });
}
