import type { Services } from "../kernel/context.ts";
import { endJob } from "../kernel/jobs/job-lease.ts";
import { unitOfWork } from "../kernel/unit-of-work.ts";
import type { JobRecord } from "../model/jobs.ts";
import { endApproval } from "./end.ts";

/** Ends a question that nobody decided in its time. */
export async function expireApproval(services: Services, job: JobRecord): Promise<void> {
  const approval = await services.storage.get("approvals", job.subject_id);
  if (approval === undefined) return endJob(services.storage, job);
  const now = services.clock.now();
  await unitOfWork(services, approval.account_id, now, async (work) => {
    await endJob(work, job);
    await endApproval(work, approval, { status: "expired" }, now);
  });
}
