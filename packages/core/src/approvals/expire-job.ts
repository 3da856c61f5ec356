import type { Parts } from "../kernel/context.ts";
import { endJob } from "../kernel/jobs/job-lease.ts";
import { unitOfWork } from "../kernel/unit-of-work.ts";
import type { JobRecord } from "../model/jobs.ts";
import { endApproval } from "./end.ts";

/** Ends a question that nobody decided in its time. */
export async function expireApproval(parts: Parts, job: JobRecord): Promise<void> {
  const approval = await parts.storage.get("approvals", job.subject_id);
  if (approval === undefined) return endJob(parts.storage, job);
  const now = parts.clock.now();
  await unitOfWork(parts, approval.account_id, now, async (work) => {
    await endJob(work, job);
    await endApproval(work, approval, { status: "expired" }, now);
  });
}
