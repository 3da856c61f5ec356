import type { Services } from "../../kernel/context.ts";
import { endJob, postponeJob } from "../../kernel/jobs/job-lease.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { JobRecord } from "../../model/jobs.ts";
import { nextDigestTime } from "./rules.ts";
import { sendDigest } from "./send.ts";

/** Sends an owner's daily digest; what could not go, or came too late for it, waits for the next day's. */
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
