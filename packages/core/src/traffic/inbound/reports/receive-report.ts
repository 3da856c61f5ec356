import { LIMITS } from "../../../catalogue/limits.ts";
import { customDomain, isWorking } from "../../../kernel/addresses/custom-domains.ts";
import { domainOf } from "../../../kernel/addresses/mail-domain.ts";
import type { Services } from "../../../kernel/context.ts";
import { count, countedSoFar } from "../../../kernel/rate.ts";
import { hashSecret } from "../../../kernel/secrets.ts";
import { unitOfWork } from "../../../kernel/unit-of-work.ts";
import { organisationOf } from "../../../mail/screening/signals/hosts.ts";
import { scheduleBlobCollection } from "../../../mailbox/messages/index.ts";
import { addressKey } from "../../../model/address.ts";
import type { ReadDomainReport } from "../../../model/domain-reports.ts";
import { iso } from "../../../model/fields.ts";
import { deferMail } from "../defer.ts";
import type { Evidence } from "../evidence.ts";
import { isPlausible, mayBeReport, mayPassLater, reporterAddress } from "./rules.ts";

/** The outcome of a mail with reports. */
type Outcome = { message_id: null } & (
  | { outcome: "recorded"; reason: null }
  | { outcome: "dropped"; reason: "no_report" }
  | { outcome: "deferred"; reason: "too_many" }
);
const RECORDED: Outcome = { outcome: "recorded", reason: null, message_id: null };
const NO_REPORT: Outcome = { outcome: "dropped", reason: "no_report", message_id: null };
const TOO_MANY: Outcome = { outcome: "deferred", reason: "too_many", message_id: null };

const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;

/** Has a mail with reports come again when a DNS error left open who tells them. Fails as `deferMail` does. */
export async function deferUnproven(services: Services, evidence: Evidence, now: Date): Promise<void> {
  const { origin, authentication, mail } = evidence;
  const facts = { origin, authentication, from: mail.from };
  if (services.reportReader !== undefined && mail.attachments.some(mayBeReport) && mayPassLater(facts))
    await deferMail(services, "", evidence, now);
}

/**
 * Receives a mail with reports about domains: keeps those of a reporter whose mail passes DMARC that are about a domain which an
 * account here has verified. The mail itself isn't kept. What comes beyond a limit is to be sent again later; otherwise its sender
 * isn't told what became of it.
 */
export async function receiveDomainReport(
  services: Services,
  { mail, raw, origin, authentication }: Evidence,
  now: Date,
): Promise<Outcome> {
  await unitOfWork(services, "", now, async (work) => scheduleBlobCollection(work, [raw.hash], now));
  const address = reporterAddress({ origin, dmarc: authentication.dmarc, from: mail.from });
  const { reportReader, storage } = services;
  const files = mail.attachments.filter(mayBeReport).slice(0, LIMITS.domain_report_files);
  if (address === undefined || reportReader === undefined || files.length === 0) return NO_REPORT;
  const reporter = domainOf(addressKey(address));
  const cap = {
    name: `domain-report-files:${organisationOf(reporter)}`,
    max: LIMITS.domain_report_files_per_hour,
    window_ms: HOUR_MS,
  };
  if (!(await count(storage, cap, now, files.length)).within) return TOO_MANY;
  let outcome = NO_REPORT;
  for (const { bytes } of files) {
    const report = await reportReader.read(bytes);
    const kept = report === null ? NO_REPORT : await keepReport(services, report, reporter, now);
    // What was kept before it is known when the mail comes again.
    if (kept === TOO_MANY) return TOO_MANY;
    if (kept === RECORDED) outcome = RECORDED;
  }
  return outcome;
}

async function keepReport(
  services: Services,
  { report_id, domain: name, ...content }: ReadDomainReport,
  reporter: string,
  now: Date,
): Promise<Outcome> {
  const { storage, makeId } = services;
  const plausible = isPlausible(content, { now: now.getTime(), kept_ms: LIMITS.domain_reports_kept_ms });
  const domain = plausible ? await customDomain(storage, name) : undefined;
  if (domain === undefined || !isWorking(domain)) return NO_REPORT;
  const report_hash = hashSecret(JSON.stringify([reporter, content.kind, report_id]));
  const [known] = await storage.find("domain_reports", {
    where: { domain_id: domain.id, report_hash },
    limit: 1,
  });
  if (known !== undefined) return RECORDED;
  if (!(await isWithinDay(storage, domain.id, organisationOf(reporter), now))) return TOO_MANY;
  await storage.insert("domain_reports", {
    ...content,
    ...{ id: makeId("rep"), domain_id: domain.id, account_id: domain.account_id },
    ...{ reporter, report_hash, created_at: iso(now) },
  });
  return RECORDED;
}

/**
 * Counts a report against the day's limits. An organisation's first report of the day has a place apart from all further ones:
 * a few that send many don't keep the others out.
 */
async function isWithinDay(
  storage: Services["storage"],
  domain_id: string,
  organisation: string,
  now: Date,
): Promise<boolean> {
  const of_one = {
    name: `domain-reports:${domain_id}:${organisation}`,
    max: LIMITS.domain_reports_per_reporter_day,
    window_ms: DAY_MS,
  };
  const of_all =
    (await countedSoFar(storage, of_one, now)) === 0
      ? { name: `domain-reporters:${domain_id}`, max: LIMITS.domain_reporters_per_day, window_ms: DAY_MS }
      : { name: `domain-reports:${domain_id}`, max: LIMITS.domain_reports_per_day, window_ms: DAY_MS };
  const counted = await count(storage, of_one, now);
  if (!counted.within) return false;
  const { within } = await count(storage, of_all, now);
  if (!within) await counted.give_back();
  return within;
}
