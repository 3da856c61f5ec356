import type { Services } from "../kernel/context.ts";
import { endJob } from "../kernel/jobs/job-lease.ts";
import { domainDegradedLetter } from "../letters/index.ts";
import type { JobRecord } from "../model/jobs.ts";
import { mailFromNoReply } from "../people/index.ts";

/** Tells one of those in charge which required records of a domain are gone, unless they are back. */
export async function sendDomainLetter(services: Services, job: JobRecord): Promise<void> {
  const { storage, options } = services;
  const domain = await storage.get("domains", job.subject_id);
  const { to } = job.payload;
  if (domain?.status !== "degraded" || typeof to !== "string") return endJob(storage, job);
  await mailFromNoReply(services, job, {
    email: to,
    letter: domainDegradedLetter({
      domain: domain.domain,
      records: domain.records.filter(({ required, status }) => required && status !== "valid"),
      host: new URL(options.base_url).host,
    }),
  });
}
