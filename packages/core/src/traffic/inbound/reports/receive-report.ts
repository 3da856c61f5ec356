import { LIMITS } from "../../../catalogue/limits.ts";
import { customDomain, isWorking } from "../../../kernel/addresses/custom-domains.ts";
import { domainOf } from "../../../kernel/addresses/mail-domain.ts";
import type { Services } from "../../../kernel/context.ts";
import { count } from "../../../kernel/rate.ts";
import { hashSecret } from "../../../kernel/secrets.ts";
import { unitOfWork } from "../../../kernel/unit-of-work.ts";
import { organisationOf } from "../../../mail/screening/signals/hosts.ts";
import { scheduleBlobCollection } from "../../../mailbox/messages/index.ts";
import { addressKey } from "../../../model/address.ts";
import type { ReadDomainReport } from "../../../model/domain-reports.ts";
import { iso } from "../../../model/fields.ts";
import type { Evidence } from "../evidence.ts";
import { isPlausible, mayBeReport, reporterAddress } from "./rules.ts";

/** What became of a mail with reports. */
interface Outcome {
  outcome: "recorded" | "dropped";
  reason: "no_report" | "too_many" | null;
  message_id: null;
}
const DAY_MS = 24 * 3600_000;

/**
 * Receives a mail with reports about domains: keeps those of a reporter whose mail passes DMARC that are about a domain which an
 * account here has verified. The mail itself isn't kept, and its sender isn't told what became of it.
 */
export async function receiveDomainReport(
  services: Services,
  { mail, raw, origin, authentication }: Evidence,
  now: Date,
): Promise<Outcome> {
  await unitOfWork(services, "", now, async (work) => scheduleBlobCollection(work, [raw.hash], now));
  const address = reporterAddress({ origin, dmarc: authentication.dmarc, from: mail.from });
  const { reportReader } = services;
  if (address === undefined || reportReader === undefined) return dropped("no_report");
  const reporter = organisationOf(domainOf(addressKey(address)));
  const files = mail.attachments.filter(mayBeReport).slice(0, LIMITS.domain_report_files);
  const outcomes: Outcome[] = [];
  for (const { bytes } of files) {
    const report = await reportReader.read(bytes);
    if (report !== null) outcomes.push(await keepReport(services, report, reporter, now));
  }
  return outcomes.find(({ outcome }) => outcome === "recorded") ?? outcomes[0] ?? dropped("no_report");
}

const dropped = (reason: Outcome["reason"]): Outcome => ({
  ...{ outcome: "dropped", reason, message_id: null },
});

async function keepReport(
  services: Services,
  { report_id, domain: name, ...content }: ReadDomainReport,
  reporter: string,
  now: Date,
): Promise<Outcome> {
  const { storage, makeId } = services;
  const plausible = isPlausible(content, { now: now.getTime(), kept_ms: LIMITS.domain_reports_kept_ms });
  const domain = plausible ? await customDomain(storage, name) : undefined;
  if (domain === undefined || !isWorking(domain)) return dropped("no_report");
  const report_hash = hashSecret(JSON.stringify([reporter, content.kind, report_id]));
  const [known] = await storage.find("domain_reports", {
    where: { domain_id: domain.id, report_hash },
    limit: 1,
  });
  if (known !== undefined) return recorded;
  for (const [whose, max] of [
    [reporter, LIMITS.domain_reports_per_reporter_day],
    ["", LIMITS.domain_reports_per_day],
  ] as const) {
    const cap = { name: `domain-reports:${domain.id}:${whose}`, max, window_ms: DAY_MS };
    if (!(await count(storage, cap, now)).within) return dropped("too_many");
  }
  await storage.insert("domain_reports", {
    ...content,
    ...{ id: makeId("rep"), domain_id: domain.id, account_id: domain.account_id },
    ...{ reporter, report_hash, created_at: iso(now) },
  });
  return recorded;
}

const recorded: Outcome = { outcome: "recorded", reason: null, message_id: null };
