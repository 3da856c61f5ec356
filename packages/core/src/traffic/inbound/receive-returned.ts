import type { Services } from "../../kernel/context.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import { scheduleBlobCollection } from "../../mailbox/messages/index.ts";
import type { DomainRecord } from "../../model/domains.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import { isAboutOwnLetter, logOwnLetterReport } from "../../owners/notifications/index.ts";
import { findReported, type ReturnTarget } from "../bounces/match-report.ts";
import { recordReport } from "../bounces/record-report.ts";
import type { Evidence } from "./evidence.ts";
import { type ReceiveOutcome, receiveForInbox } from "./receive-for-inbox.ts";

/** The outcome of a mail to a return path: `recorded` is a report that was matched with its message. */
export type ReturnedOutcome = ReceiveOutcome | typeof RECORDED;

const RECORDED = { outcome: "recorded", reason: null, message_id: null } as const;
const UNKNOWN_RECIPIENT = { outcome: "refused", reason: "unknown_recipient", message_id: null } as const;

/**
 * Receives a mail to a return path, or to the service's own bounce@ or abuse@. A report is recorded with its message
 * and not stored, one about a letter from no-reply is shown to the operator; other mail to a return path, such as an
 * automatic reply to the envelope sender, goes to the inbox that sent the message. The rest is refused.
 */
export async function receiveReturned(
  services: Services,
  { reported }: ReturnTarget,
  evidence: Evidence,
  now: Date,
): Promise<ReturnedOutcome> {
  const { report: sent, raw } = evidence;
  const about = reported ?? (sent && (await findReported(services, sent.report, null)));
  if (sent !== undefined && about != null) {
    await recordReport(services, about, sent, now, raw.hash);
    return RECORDED;
  }
  const inbox = about == null ? undefined : await services.storage.get("inboxes", about.message.inbox_id);
  if (inbox !== undefined) return receiveForInbox(services, inbox, evidence, now);
  await discardRaw(services, raw.hash, now);
  if (sent !== undefined && isAboutOwnLetter(services, sent.report)) {
    logOwnLetterReport(services, sent.report);
    return RECORDED;
  }
  return UNKNOWN_RECIPIENT;
}

/**
 * Records, as unproven, a report in mail to an inbox's own address about a message that the inbox sent. The mail
 * itself is stored like any other.
 */
export async function recordOwnReport(
  services: Services,
  inbox: InboxRecord,
  { report: sent }: Evidence,
  now: Date,
): Promise<void> {
  const about = sent && (await findReported(services, sent.report, inbox.id));
  if (sent !== undefined && about !== undefined) await recordReport(services, about, sent, now);
}

/**
 * Records a complaint to abuse@ of a custom domain with a message of its account, by the header that the service put
 * into it. Undefined for all other mail, which is for those in charge of the domain.
 */
export async function recordComplaint(
  services: Services,
  { account_id }: Pick<DomainRecord, "account_id">,
  { report: sent, raw }: Evidence,
  now: Date,
): Promise<typeof RECORDED | undefined> {
  if (sent?.report.type !== "complaint") return undefined;
  const about = await findReported(services, sent.report, null);
  if (about?.tie !== "header" || about.message.account_id !== account_id) return undefined;
  await recordReport(services, about, sent, now, raw.hash);
  return RECORDED;
}

async function discardRaw(services: Services, raw_hash: string, now: Date): Promise<void> {
  await unitOfWork(services, "", now, async (work) => scheduleBlobCollection(work, [raw_hash], now));
}
