import { isDeliveredHere } from "../../kernel/addresses/inbox-domain.ts";
import { domainOf } from "../../kernel/addresses/mail-domain.ts";
import { noteHardBounce } from "../../kernel/addresses/reachable.ts";
import type { Services } from "../../kernel/context.ts";
import type { Work } from "../../kernel/work.ts";
import { countReport, countSending } from "../../limits/health/index.ts";
import { classifyRefusal, stageIn, statusIn } from "../../mail/bounce-reports/classify.ts";
import { organisationalDomain } from "../../mail/sender/alignment.ts";
import { addressKey } from "../../model/address.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { RecipientResult } from "../../ports/transport.ts";
import { recordFindings } from "./record-findings.ts";
import { proofOfReport } from "./rules.ts";

/**
 * Counts a delivery attempt for sending health: accepted recipients as sent, and recipients refused as unknown in the
 * SMTP dialogue as sent and bounced. What the recipient's own mail host accepts is delivered. A permanent refusal by the recipient's own mail host is a bounce with all
 * consequences. A relay's refusal suppresses nobody, since it may be the relay's own: `message.failed` reports it.
 * Recipients within this service don't count.
 */
export async function recordAttempt(
  services: Pick<Services, "makeId" | "options" | "log">,
  work: Work,
  message: MessageRecord,
  results: readonly RecipientResult[],
  now: Date,
): Promise<void> {
  const here = await Promise.all(results.map(({ recipient }) => isDeliveredHere(services, work, recipient)));
  const outside = results.filter((_, index) => here[index] !== true);
  const copies = new Set(message.owner_copies.map(addressKey));
  const asked = outside.filter(({ recipient }) => !copies.has(addressKey(recipient)));
  const accepted = asked.filter(({ outcome }) => outcome === "accepted").length;
  const refused = outside.filter(({ outcome, detail }) => outcome === "permanent_failure" && isHard(detail));
  const { account_id } = message;
  const unknown = refused.filter(({ recipient }) => !copies.has(addressKey(recipient)));
  await countSending(work, account_id, { sent: accepted + unknown.length }, now);
  const [by_host, by_relay] = [true, false].map((wanted) =>
    refused.filter(({ said_by }) => (said_by === "recipient_host") === wanted),
  );
  const proof = proofOfReport({ channel: "dialogue" });
  const taken = outside.filter(
    ({ outcome, said_by }) => outcome === "accepted" && said_by === "recipient_host",
  );
  const findings = [
    ...(by_host ?? []).map(({ recipient, detail }) => ({
      ...({ type: "bounced", recipient, kind: "hard", detail } as const),
      proof,
    })),
    ...taken.map(({ recipient, detail }) => ({
      ...({ type: "delivered", recipient, kind: null, detail } as const),
      proof,
    })),
  ];
  await recordFindings(services, work, message, findings, now);
  for (const { recipient } of by_relay ?? []) {
    const domain = organisationalDomain(domainOf(recipient));
    if (!copies.has(addressKey(recipient)))
      await countReport(work, account_id, { kind: "hard", domain }, now);
    await noteHardBounce(work, { account_id, email: addressKey(recipient) }, now);
  }
}

const isHard = (detail: string): boolean =>
  classifyRefusal({ text: detail, status: statusIn(detail), stage: stageIn(detail) ?? "rcpt" }).hard;
