import type { Services } from "../../../kernel/context.ts";
import { endJob, postponeJob } from "../../../kernel/jobs/job-lease.ts";
import { unitOfWork } from "../../../kernel/unit-of-work.ts";
import type { Work } from "../../../kernel/work.ts";
import type { JobRecord } from "../../../model/jobs.ts";
import { nextDigestTime } from "./rules.ts";
import { sendDigest } from "./send.ts";

/** Sends an owner's daily digest. What could not be sent, or came too late, waits for the next day. */
export async function sendDueDigest(services: Services, job: JobRecord): Promise<void> {
  const owner = await services.storage.get("owners", job.subject_id);
  if (owner === undefined) return endJob(services.storage, job);
  const now = services.clock.now();
  await unitOfWork(services, owner.account_id, now, async (work) => {
    await sendDigest(services, work, owner.id, { now, capped: false });
    const left = await work.count("update_deliveries", { owner_id: owner.id, status: "queued" }, 1);
    return left > 0 ? postponeJob(work, job, nextDigestTime(now)) : endJob(work, job);
  });
}

/**
 * Queues an owner's digest job for the next 13:00 UTC, unless there is one. If two calls race, the second job
 * finds nothing queued and sends nothing.
 */
export async function queueDigest(work: Work, owner_id: string, now: Date): Promise<void> {
  const jobs = await work.find("jobs", { where: { subject_id: owner_id }, limit: 10 });
  if (jobs.some(({ kind }) => kind === "digest.send")) return;
  work.job({ kind: "digest.send", subject_id: owner_id, due_at: nextDigestTime(now) });
}
