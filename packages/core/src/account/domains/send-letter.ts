import { domainOf } from "../../kernel/addresses/mail-domain.ts";
import type { Services } from "../../kernel/context.ts";
import { endJob } from "../../kernel/jobs/job-lease.ts";
import type { DomainRecord } from "../../model/domains.ts";
import type { JobRecord } from "../../model/jobs.ts";
import { domainDegradedLetter, domainReceivesLetter } from "../../owners/notifications/index.ts";
import { mailFromNoReply } from "../../owners/sessions/index.ts";

/**
 * Tells somebody about a domain: that mail for it may be delivered here, or, to people in charge, which required
 * records are gone. Nothing outdated is told.
 */
export async function sendDomainLetter(services: Services, job: JobRecord): Promise<void> {
  const { storage } = services;
  const domain = await storage.get("domains", job.subject_id);
  const { to } = job.payload;
  const letter = domain && letterOf(services, domain, job);
  if (letter === undefined || typeof to !== "string") return endJob(storage, job);
  const { account_id } = domain as DomainRecord;
  await mailFromNoReply(services, job, { email: to, account_id, ...letter });
}

function letterOf(
  { options }: Pick<Services, "options">,
  { domain, status, records, receiving_from }: DomainRecord,
  { payload: { to, receives } }: JobRecord,
): Pick<Parameters<typeof mailFromNoReply>[2], "kind" | "letter"> | undefined {
  const host = new URL(options.baseUrl).host;
  if (receives === true) {
    if (receiving_from === null) return undefined;
    const is_there = domainOf(String(to)) === domain;
    const letter = domainReceivesLetter({ domain, host, from: receiving_from, is_there });
    return { kind: "domain_receives", letter };
  }
  if (status !== "degraded") return undefined;
  const gone = records.filter((record) => record.required && record.status !== "valid");
  return { kind: "domain_degraded", letter: domainDegradedLetter({ domain, host, records: gone }) };
}
