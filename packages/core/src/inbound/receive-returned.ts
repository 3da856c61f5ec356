import {
  findReportedMessage,
  isAboutOwnLetter,
  logOwnLetterReport,
  type ReturnTarget,
  recordReport,
} from "../bounces/index.ts";
import type { Services } from "../kernel/context.ts";
import { unitOfWork } from "../kernel/unit-of-work.ts";
import { readReport } from "../mail/reports/read-report.ts";
import type { MailReport } from "../mail/reports/report.ts";
import { scheduleBlobCollection } from "../messages/index.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import { applyReceiveLists, type ReceiveOutcome } from "./apply-receive-lists.ts";
import type { Evidence } from "./evidence.ts";

/** The outcome of a mail to a return path: `recorded` is a report that was matched with its message. */
export type ReturnedOutcome = ReceiveOutcome | { outcome: "recorded"; reason: null; message_id: null };

const RECORDED = { outcome: "recorded", reason: null, message_id: null } as const;
const UNKNOWN_RECIPIENT = { outcome: "refused", reason: "unknown_recipient", message_id: null } as const;

/**
 * Receives mail to a return path. A report is recorded with its message and not stored, one about a letter from
 * no-reply is shown to the operator; other mail, such as
 * an automatic reply to the envelope sender, goes to the inbox that sent the message. The rest is refused.
 */
export async function receiveReturned(
  services: Services,
  place: ReturnTarget,
  evidence: Evidence,
  now: Date,
): Promise<ReturnedOutcome> {
  const report = readReport(evidence);
  const message = place.message ?? (report && (await findReportedMessage(services, report, null)));
  if (report !== undefined && message != null) {
    await recordReport(services, message, report, now, evidence.raw.hash);
    return RECORDED;
  }
  const inbox = message == null ? undefined : await services.storage.get("inboxes", message.inbox_id);
  if (inbox !== undefined) return applyReceiveLists(services, inbox, evidence, now);
  await discardRaw(services, evidence.raw.hash, now);
  if (report !== undefined && isFromMailServer(evidence) && isAboutOwnLetter(services, report)) {
    logOwnLetterReport(services, report);
    return RECORDED;
  }
  return UNKNOWN_RECIPIENT;
}

/** The report that a mail to an inbox's own address is, as servers that ignore the return path send it. */
export const readOwnReport = (evidence: Evidence): MailReport | undefined =>
  isFromMailServer(evidence) ? readReport(evidence) : undefined;

/** Records a report sent to the inbox's own address. The mail itself is stored like any other. */
export async function recordOwnReport(
  services: Services,
  inbox: InboxRecord,
  report: MailReport,
  now: Date,
): Promise<void> {
  const message = await findReportedMessage(services, report, inbox.id);
  if (message !== undefined) await recordReport(services, message, report, now);
}

/** An inbox of this service is not a mail server: its delivery reports are forged. */
const isFromMailServer = ({ origin }: Evidence): boolean => origin !== "internal" && origin !== "injected";

async function discardRaw(services: Services, raw_hash: string, now: Date): Promise<void> {
  await unitOfWork(services, "", now, async (work) => scheduleBlobCollection(work, [raw_hash], now));
}
