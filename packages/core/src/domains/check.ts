import { decidersOver } from "../kernel/authority.ts";
import type { Services } from "../kernel/context.ts";
import { endJob, postponeJob } from "../kernel/jobs/job-lease.ts";
import { domainOf } from "../kernel/mail-domain.ts";
import { unitOfWork } from "../kernel/unit-of-work.ts";
import type { Work } from "../kernel/work.ts";
import type { DomainRecord } from "../model/domains.ts";
import { iso } from "../model/fields.ts";
import type { JobRecord } from "../model/jobs.ts";
import type { StorageReader } from "../ports/storage.ts";
import { examineRecords } from "./dns/examine.ts";
import { publish } from "./publish.ts";
import { type Findings, type Judgement, judge, type Standing } from "./rules.ts";
import { domainInEvent } from "./show.ts";
import { wantedOf } from "./wants.ts";

/** Looks at a domain's records when it is time to, and puts itself off until the next time; `subject_id` is the domain. */
export async function checkDomain(services: Services, job: JobRecord): Promise<void> {
  const { storage, clock } = services;
  const domain = await storage.get("domains", job.subject_id);
  if (domain === undefined || domain.attempt !== job.payload["attempt"]) return endJob(storage, job);
  await examine(services, domain, async (work, judged) => {
    if (judged?.next == null) return endJob(work, job);
    // The job waits for the time that the check took, too.
    const next = judged.next > clock.now() ? judged.next : clock.now();
    return postponeJob(work, job, next);
  });
}

/**
 * Writes a domain's records where the service does that, looks all of them up and stores what follows. Undefined
 * when the domain was deleted meanwhile, or another verification of it began.
 */
export async function examine(
  services: Services,
  domain: DomainRecord,
  settle: (work: Work, judged: Judgement | undefined) => Promise<void>,
): Promise<{ domain: DomainRecord; judged: Judgement } | undefined> {
  const { dns, clock, options } = services;
  const { warnings, last_error } = await publish(services, domain);
  const found = await examineRecords(dns, {
    ...{ domain: domain.domain, mail_domain: options.mail_domain, clock },
    ...{ wanted: wantedOf(services, domain), before: domain.records },
  });
  const now = clock.now();
  const told = { ...found, warnings: [...found.warnings, ...warnings] };
  return unitOfWork(services, domain.account_id, now, async (work) => {
    // Whoever judges the same domain waits here.
    const { id, attempt } = domain;
    const [current] = await work.update("domains", { id, attempt }, { attempt: { add: 0 } });
    if (current === undefined) {
      await settle(work, undefined);
      return undefined;
    }
    const judged = judge(current, told, await standingOf(services, work, current, told, now), now);
    const dns_state = { ...current.dns, last_error };
    const [after = current] = await work.update("domains", { id }, { ...judged.change, dns: dns_state });
    await tell(services, work, after, judged);
    await settle(work, judged);
    return { domain: after, judged };
  });
}

/**
 * What the account has to do with the domain. The first account whose proof is seen holds it, by a row that there is
 * once: of two that prove it at the same time one has it.
 */
async function standingOf(
  services: Services,
  work: Work,
  { id: domain_id, account_id, domain, mail }: DomainRecord,
  { records, trouble }: Findings,
  now: Date,
): Promise<Standing> {
  const valid = (purpose: string) =>
    records.some((record) => record.purpose === purpose && record.status === "valid");
  const proof = { domain, domain_id, account_id, proven_at: iso(now) };
  // What an earlier check found proves nothing now.
  const holder =
    valid("ownership") && !trouble
      ? (await work.insert("proven_domains", proof)).record
      : await work.get("proven_domains", domain);
  return {
    holds: holder?.domain_id === domain_id,
    nobody_left:
      !mail.receiving && valid("mx") && (await leavesNobodyInCharge(services, work, account_id, domain)),
  };
}

/** Whether everybody who decides for an account has an address at the domain or below it. */
async function leavesNobodyInCharge(
  services: Pick<Services, "options">,
  reader: Pick<StorageReader, "find" | "get">,
  account_id: string,
  domain: string,
): Promise<boolean> {
  const { emails } = await decidersOver(services, reader, { account_id, inbox_id: null });
  const isThere = (email: string) => `.${domainOf(email)}`.endsWith(`.${domain}`);
  return emails.length > 0 && emails.every(isThere);
}

/** Publishes the events of a check, and queues its letters. Who doesn't hold the domain any more leaves it to others. */
async function tell(
  services: Pick<Services, "options">,
  work: Work,
  domain: DomainRecord,
  { verified, degraded, released }: Judgement,
): Promise<void> {
  const { id: subject_id, account_id, domain: name } = domain;
  if (released) await work.delete("proven_domains", { domain: name, domain_id: subject_id });
  const data = { domain: domainInEvent(domain) };
  if (verified) work.publish({ type: "domain.verified", inbox_id: null, data });
  if (!degraded) return;
  work.publish({ type: "domain.degraded", inbox_id: null, data });
  const { emails } = await decidersOver(services, work, { account_id, inbox_id: null });
  for (const to of emails) work.job({ kind: "domain.letter", subject_id, payload: { to } });
}
