import { LIMITS } from "../../catalogue/limits.ts";
import { domainOf } from "../../kernel/addresses/mail-domain.ts";
import type { Services } from "../../kernel/context.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { MailReport } from "../../mail/bounce-reports/report.ts";
import { scheduleBlobCollection } from "../../mailbox/messages/index.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { Reported } from "./match-report.ts";
import { addressesOf, findRecipientHosts } from "./recipient-hosts.ts";
import { recordFindings } from "./record-findings.ts";
import { type Reporters, type ReportSender, readReporters } from "./reporters.ts";
import { type Finding, findingsOf, type Proof, proofOfReport, recipientsOf } from "./rules.ts";

/** A report with who sent it. */
export interface SentReport {
  report: MailReport;
  sender: ReportSender;
}

/**
 * Records a report about an outbound message in one transaction, with its proof for each recipient. A report with
 * nothing new changes nothing. `raw_hash` is set when the report itself is not stored.
 */
export async function recordReport(
  services: Services,
  { message, tie }: Reported,
  sent: SentReport,
  now: Date,
  raw_hash: string | null = null,
): Promise<void> {
  const proofs = await proofsFor(services, message, { ...sent, tie });
  await unitOfWork(services, message.account_id, now, async (work) => {
    if (raw_hash !== null) scheduleBlobCollection(work, [raw_hash], now);
    const current = await work.get("messages", message.id);
    if (current === undefined) return;
    const findings = findingsOf(current, sent.report).map((finding) => ({
      ...finding,
      proof: proofs.get(finding.recipient) ?? "none",
    }));
    await recordFindings(services, work, current, findings, now);
  });
}

/**
 * Returns the proof of a report for each recipient that it is about. Queries the DNS only where the answer may
 * decide.
 */
async function proofsFor(
  services: Pick<Services, "dns" | "options">,
  message: MessageRecord,
  { report, sender, tie }: SentReport & Pick<Reported, "tie">,
): Promise<Map<string, Proof>> {
  const findings = findingsOf(message, report);
  if (tie === "message_id") return new Map();
  const facts = { channel: "mail", kind: report.type, tie, sender } as const;
  const reporters = await reportersFor(services, sender);
  const recipients = recipientsOf(message).length;
  const asked = new Map<string, ReturnType<typeof findRecipientHosts>>();
  const prove = async ({ recipient }: Finding): Promise<[string, Proof]> => {
    const known = { ...facts, reporters, recipients };
    const proof = proofOfReport({ ...known, hosts: null });
    const may_be_host = report.type === "delivery" && sender.null_sender && proof !== "relay";
    const domain = domainOf(recipient);
    if (!may_be_host || (!asked.has(domain) && asked.size >= LIMITS.reported_domains))
      return [recipient, proof];
    const hosts = asked.get(domain) ?? findRecipientHosts(services.dns, domain);
    asked.set(domain, hosts);
    return [recipient, proofOfReport({ ...known, hosts: await hosts })];
  };
  return new Map(await Promise.all(findings.map(prove)));
}

/** Returns the reporters that the deployment trusts; the hosts of each name on its list count as its networks. */
async function reportersFor(
  { dns, options }: Pick<Services, "dns" | "options">,
  { null_sender, client_ip }: ReportSender,
): Promise<Reporters> {
  const { names, networks } = readReporters(options.trustedReporters);
  if (!null_sender || client_ip === null) return { names, networks };
  const hosts = names.filter((name) => !name.startsWith("*."));
  const found = await Promise.all(hosts.map((name) => addressesOf(dns, name).catch(() => [])));
  return { names, networks: [...networks, ...found.flat()] };
}
