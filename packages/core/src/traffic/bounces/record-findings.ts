import type { EventType } from "../../catalogue/events.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { inChargeAmong } from "../../kernel/access/authority.ts";
import { domainOf } from "../../kernel/addresses/mail-domain.ts";
import { isHeardOf, noteHardBounce } from "../../kernel/addresses/reachable.ts";
import type { Services } from "../../kernel/context.ts";
import type { Work } from "../../kernel/work.ts";
import { countReport } from "../../limits/health/index.ts";
import { organisationalDomain } from "../../mail/sender/alignment.ts";
import { attentionOf, relabel, snapshotOf } from "../../mailbox/messages/index.ts";
import { suppressBecauseOf } from "../../mailbox/suppressions/index.ts";
import { addressKey } from "../../model/address.ts";
import { iso } from "../../model/fields.ts";
import type { DeliveryEvent } from "../../model/message-facts.ts";
import type { MessageRecord } from "../../model/messages.ts";
import { noteForwardBounces } from "./forward-bounces.ts";
import { countsForAccount, type Finding, newFindings, type Proof } from "./rules.ts";
import { withoutReturnPaths } from "./without-return-paths.ts";

/** Secrets of one letter that are looked at. */
const MAX_LETTER_SECRETS = 20;

type Proven = Finding & { proof: Proof };

/**
 * Records findings about an outbound message in the caller's transaction. All of them become delivery events. Proven
 * ones also set the labels `bounced` and `complained`, publish events and add suppressions, except for people in
 * charge; they count for sending health unless a single recipient's word is their only proof, or it is of a copy that the
 * service itself sent to one in charge. Letters of confirmation
 * and approval suppress nobody and don't count: the operator is told.
 */
export async function recordFindings(
  services: Pick<Services, "makeId" | "options" | "log">,
  work: Work,
  message: MessageRecord,
  reported: readonly Proven[],
  now: Date,
): Promise<void> {
  const findings = newFindings(message, reported);
  if (findings.length === 0) return;
  const delivery_events = [...message.delivery_events, ...findings.map((finding) => eventOf(finding, now))];
  const attention = attentionOf({ ...message, delivery_events });
  await work.update("messages", { id: message.id }, { delivery_events, attention });
  const proven = findings.filter(({ proof }) => proof !== "none");
  const of = (type: Finding["type"]) => proven.filter((finding) => finding.type === type);
  const [bounced, complained, delivered] = [of("bounced"), of("complained"), of("delivered")];
  await addReportLabels(work, { ...message, delivery_events, attention }, [
    ...(bounced.length > 0 ? ["bounced"] : []),
    ...(complained.length > 0 ? ["complained"] : []),
  ]);
  publishFindings(work, message, "message.bounced", bounced);
  publishFindings(work, message, "message.complained", complained);
  if (delivered.length > 0)
    work.publish({
      type: "message.delivered",
      inbox_id: message.inbox_id,
      message_id: message.id,
      data: { message: snapshotOf({ ...message, delivery_events }) },
    });
  const { account_id } = message;
  const hard = bounced.filter(({ kind }) => kind === "hard");
  for (const { recipient } of delivered) await isHeardOf(work, recipient);
  for (const { recipient, proof } of hard)
    if (proof === "relay" || proof === "dialogue")
      await noteHardBounce(work, { account_id, email: addressKey(recipient) }, now);
  if (hard.length > 0) await noteForwardBounces(work, message, hard);
  if ([...bounced, ...complained].length > 0 && (await isForOwner(work, message))) {
    services.log.warn({ message: message.id, findings }, "a letter to an owner was not delivered");
    return;
  }
  const in_charge = await inChargeAmong(
    work,
    account_id,
    [...hard, ...complained].map(({ recipient }) => recipient),
  );
  const copies = new Set(message.owner_copies.map(addressKey));
  const isCopy = ({ recipient }: Finding): boolean => copies.has(addressKey(recipient));
  for (const finding of [...hard, ...complained]) {
    const { recipient, type } = finding;
    if (isCopy(finding)) continue;
    if (in_charge.has(addressKey(recipient))) continue;
    const reason = type === "bounced" ? "bounce" : "complaint";
    await suppressBecauseOf(work, services.makeId, message, { address: recipient, reason }, now);
  }
  for (const finding of [...bounced, ...complained]) {
    const { recipient, type, kind, proof } = finding;
    if (isCopy(finding) || !countsForAccount(proof)) continue;
    const what = type === "complained" ? "complaint" : kind === "hard" ? "hard" : "bounce";
    await countReport(
      work,
      account_id,
      { kind: what, domain: organisationalDomain(domainOf(recipient)) },
      now,
    );
  }
}

const eventOf = ({ type, recipient, kind, detail, proof }: Proven, now: Date): DeliveryEvent => ({
  ...{ type, recipient, detail: withoutReturnPaths(detail), created_at: iso(now) },
  ...(type === "bounced" ? { bounce_type: kind === "soft" ? "soft" : "hard" } : {}),
  ...(proof === "none" ? { unproven: true } : {}),
});

/**
 * Whether a message is a letter of confirmation or approval: its bounces suppress nobody and don't count for
 * sending health, so that no report keeps an owner from being asked. The operator is told of them.
 */
async function isForOwner(work: Work, { id }: Pick<MessageRecord, "id">): Promise<boolean> {
  const secrets = await work.find("letter_secrets", { where: { message_id: id }, limit: MAX_LETTER_SECRETS });
  return secrets.some(({ kind }) => kind === "approve" || kind === "confirm");
}

async function addReportLabels(work: Work, message: MessageRecord, labels: readonly string[]): Promise<void> {
  const missing = labels.filter((label) => !message.labels.includes(label));
  // A message that already has the maximum number of labels must not make the report fail.
  if (missing.length > 0 && message.labels.length + missing.length <= LIMITS.labels)
    await relabel(work, [message], missing, []);
}

/** Publishes one event per bounce type or kind of complaint. */
function publishFindings(
  work: Work,
  message: MessageRecord,
  type: EventType,
  findings: readonly Finding[],
): void {
  const { id: message_id, inbox_id, thread_id } = message;
  for (const [bounce_type, same] of Map.groupBy(findings, ({ kind }) => kind)) {
    const recipients = same.map(({ recipient }) => recipient);
    work.publish({ type, inbox_id, data: { message_id, inbox_id, thread_id, bounce_type, recipients } });
  }
}
