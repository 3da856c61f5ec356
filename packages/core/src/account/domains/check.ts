import { decidersOver } from "../../kernel/access/authority.ts";
import { isWorking } from "../../kernel/addresses/custom-domains.ts";
import type { Services } from "../../kernel/context.ts";
import { endJob, postponeJob } from "../../kernel/jobs/job-lease.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { Work } from "../../kernel/work.ts";
import type { DomainRecord } from "../../model/domains.ts";
import { iso } from "../../model/fields.ts";
import type { JobRecord } from "../../model/jobs.ts";
import { examineRecords } from "./dns/examine.ts";
import { isProven } from "./dns/rules.ts";
import { publish } from "./publish.ts";
import { awaitPeople, isEverybodyAt } from "./receiving.ts";
import { type Findings, type Judgement, judge, type Standing } from "./rules.ts";
import { domainInEvent } from "./show.ts";
import { wantedOf } from "./wants.ts";

/** Checks a domain's records when due and schedules its next check; `subject_id` is the domain. */
export async function checkDomain(services: Services, job: JobRecord): Promise<void> {
  const { storage, clock } = services;
  const domain = await storage.get("domains", job.subject_id);
  if (domain === undefined || domain.attempt !== job.payload["attempt"]) return endJob(storage, job);
  await examine(services, domain, async (work, judged) => {
    if (judged?.next == null) return endJob(work, job);
    // The check may itself have outlasted the interval; the job then runs again at once.
    const next = judged.next > clock.now() ? judged.next : clock.now();
    return postponeJob(work, job, next);
  });
}

/**
 * Publishes a domain's records where the service does that, looks all of them up and stores the outcome. Returns
 * undefined when the domain was deleted meanwhile, or another verification of it began.
 */
export async function examine(
  services: Services,
  domain: DomainRecord,
  settle: (work: Work, judged: Judgement | undefined) => Promise<void>,
): Promise<{ domain: DomainRecord; judged: Judgement } | undefined> {
  const { dns, clock, options } = services;
  const { warnings, last_error } = await publish(services, domain);
  const found = await examineRecords(dns, {
    ...{ domain: domain.domain, mail_domain: options.mailDomain, clock },
    ...{ wanted: wantedOf(services, domain), before: domain.records },
  });
  const now = clock.now();
  const told = { ...found, warnings: [...found.warnings, ...warnings] };
  return unitOfWork(services, domain.account_id, now, async (work) => {
    // Concurrent checks of the same domain wait here.
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
 * Returns the account's standing with regard to the domain. The first account whose proof is seen holds the domain; a
 * row that can exist only once decides between two that prove it at the same time.
 */
async function standingOf(
  services: Services,
  work: Work,
  current: DomainRecord,
  { records, trouble }: Findings,
  now: Date,
): Promise<Standing> {
  const { id: domain_id, account_id, domain, mail } = current;
  const valid = (purpose: string) =>
    records.some((record) => record.purpose === purpose && record.status === "valid");
  const proof = { domain, domain_id, account_id, proven_at: iso(now) };
  // The findings of an earlier check prove nothing now.
  const holder =
    valid("ownership") && !trouble
      ? (await work.insert("proven_domains", proof)).record
      : await work.get("proven_domains", domain);
  const holds = holder?.domain_id === domain_id;
  const is_proven = holds && (isWorking(current) || (isProven(records) && !trouble));
  if (mail.receiving || !is_proven)
    return { holds, nobody_left: false, receiving_from: holds ? current.receiving_from : null };
  const { emails } = await decidersOver(services, work, { account_id, inbox_id: null });
  return {
    holds,
    nobody_left: valid("mx") && isEverybodyAt(emails, domain),
    receiving_from: await awaitPeople(services, work, current, now),
  };
}

/**
 * Publishes the events of a check, and queues its letters. An account that no longer holds the domain releases it to
 * others.
 */
async function tell(
  services: Pick<Services, "options">,
  work: Work,
  domain: DomainRecord,
  { verified, degraded, released }: Judgement,
): Promise<void> {
  const { id: subject_id, account_id, domain: name } = domain;
  if (released) {
    await work.delete("proven_domains", { domain: name, domain_id: subject_id });
    await work.delete("receiving_notices", { domain_id: subject_id });
  }
  const data = { domain: domainInEvent(domain) };
  if (verified) work.publish({ type: "domain.verified", inbox_id: null, data });
  if (!degraded) return;
  work.publish({ type: "domain.degraded", inbox_id: null, data });
  const { emails } = await decidersOver(services, work, { account_id, inbox_id: null });
  for (const to of emails) work.job({ kind: "domain.letter", subject_id, payload: { to } });
}
