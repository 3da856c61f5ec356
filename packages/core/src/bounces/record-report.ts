import type { EventType } from "../catalogue/events.ts";
import { LIMITS } from "../catalogue/limits.ts";
import { countSending } from "../health/index.ts";
import type { Services } from "../kernel/context.ts";
import { unitOfWork } from "../kernel/unit-of-work.ts";
import type { Work } from "../kernel/work.ts";
import type { MailReport } from "../mail/reports/report.ts";
import { relabel, scheduleBlobCollection, snapshotOf } from "../messages/index.ts";
import { iso } from "../model/fields.ts";
import type { DeliveryEvent, MessageRecord } from "../model/messages.ts";
import { suppressBecauseOf } from "../suppressions/index.ts";
import { type Finding, newFindings } from "./rules.ts";

/** Secrets of one letter that are looked at. */
const MAX_LETTER_SECRETS = 20;

/**
 * Records a report about an outbound message in one transaction: delivery events, the labels `bounced` and
 * `complained`, the published events, suppressions for hard bounces and complaints, and the counts for
 * sending health, but for letters of confirmation and approval. A report with nothing new changes nothing.
 * `raw_hash` is set when the report itself is not
 * stored.
 */
export async function recordReport(
  services: Services,
  message: Pick<MessageRecord, "id" | "account_id">,
  report: MailReport,
  now: Date,
  raw_hash: string | null = null,
): Promise<void> {
  await unitOfWork(services, message.account_id, now, async (work) => {
    if (raw_hash !== null) scheduleBlobCollection(work, [raw_hash], now);
    const current = await work.get("messages", message.id);
    const findings = current === undefined ? [] : newFindings(current, report);
    if (current === undefined || findings.length === 0) return;
    const happened: DeliveryEvent[] = findings.map(({ type, recipient, detail }) => ({
      type,
      recipient,
      detail,
      created_at: iso(now),
    }));
    await work.update(
      "messages",
      { id: current.id },
      { delivery_events: [...current.delivery_events, ...happened] },
    );
    const bounced = findings.filter(({ type }) => type === "bounced");
    const complained = findings.filter(({ type }) => type === "complained");
    await addReportLabels(work, current, [
      ...(bounced.length > 0 ? ["bounced"] : []),
      ...(complained.length > 0 ? ["complained"] : []),
    ]);
    publishFindings(work, current, "message.bounced", bounced);
    publishFindings(work, current, "message.complained", complained);
    if (findings.some(({ type }) => type === "delivered"))
      work.publish({
        type: "message.delivered",
        inbox_id: current.inbox_id,
        message_id: current.id,
        data: {
          message: snapshotOf({ ...current, delivery_events: [...current.delivery_events, ...happened] }),
        },
      });
    if (await isForOwner(work, current)) {
      services.log.warn({ message: current.id, findings }, "a letter to an owner was not delivered");
      return;
    }
    for (const { recipient, kind } of bounced) {
      if (kind === "hard")
        await suppressBecauseOf(
          work,
          services.makeId,
          current,
          { address: recipient, reason: "bounce" },
          now,
        );
    }
    for (const { recipient } of complained)
      await suppressBecauseOf(
        work,
        services.makeId,
        current,
        { address: recipient, reason: "complaint" },
        now,
      );
    await countSending(
      work,
      current.account_id,
      { bounced: bounced.length, complained: complained.length },
      now,
    );
  });
}

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
