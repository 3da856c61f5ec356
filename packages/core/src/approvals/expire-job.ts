import type { Parts } from "../context.ts";
import { endJob } from "../job-lease.ts";
import type { JobRecord } from "../jobs.ts";
import { unitOfWork } from "../unit-of-work.ts";
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
