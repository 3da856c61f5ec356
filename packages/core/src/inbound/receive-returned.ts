import { type ReturnPlace, recordReport, reportedMessage } from "../bounces/index.ts";
import type { Services } from "../kernel/context.ts";
import { unitOfWork } from "../kernel/unit-of-work.ts";
import { readReport } from "../mail/reports/read-report.ts";
import { collectLater } from "../messages/index.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import { applyReceiveLists, type ReceiveOutcome } from "./apply-receive-lists.ts";
import type { Evidence } from "./store-mail.ts";

/**
 * What became of a mail to a return path: `recorded` is a report that was matched with the message it is
 * about.
 */
export type Returned = ReceiveOutcome | { outcome: "recorded"; reason: null; message_id: null };

const unknown = { outcome: "refused", reason: "unknown_recipient", message_id: null } as const;

/**
 * Takes what came back to a return path. A report is noted at its message and stored nowhere else; other
 * mail, such as an automatic reply that went to the envelope sender, goes to the inbox that sent the message.
 * What matches nothing is refused.
 */
export async function receiveReturned(
  services: Services,
  place: ReturnPlace,
  evidence: Evidence,
  now: Date,
): Promise<Returned> {
  const report = readReport(evidence);
  const message = place.message ?? (report && (await reportedMessage(services, report, null)));
  if (report !== undefined && message != null) {
    await recordReport(services, message, report, now, evidence.raw.hash);
    return { outcome: "recorded", reason: null, message_id: null };
  }
  const inbox = message == null ? undefined : await services.storage.get("inboxes", message.inbox_id);
  if (inbox !== undefined) return applyReceiveLists(services, inbox, evidence, now);
  await forget(services, evidence.raw.hash, now);
  return unknown;
}

/**
 * Notes a report that came to the inbox's own address, as servers that ignore the return path send them. The
 * mail is stored as any other.
 */
export async function recordOwnReport(
  services: Services,
  inbox: InboxRecord,
  evidence: Evidence,
  now: Date,
): Promise<void> {
  // An inbox of this service is no mail system: what it says about deliveries is made up.
  if (evidence.origin === "internal" || evidence.origin === "injected") return;
  const report = readReport(evidence);
  const message = report && (await reportedMessage(services, report, inbox.id));
  if (report !== undefined && message !== undefined) await recordReport(services, message, report, now);
}

async function forget(services: Services, raw_hash: string, now: Date): Promise<void> {
  await unitOfWork(services, "", now, async (work) => collectLater(work, [raw_hash], now));
}
