import { readReplyAddress } from "../../catalogue/letter-words.ts";
import { cachedAccounts, isSuspended, standsStill } from "../../kernel/access/suspended.ts";
import { inboxDomain } from "../../kernel/addresses/inbox-domain.ts";
import { domainOf, ourDomain } from "../../kernel/addresses/mail-domain.ts";
import type { Services } from "../../kernel/context.ts";
import { addressedInbox } from "../../kernel/inbox/find.ts";
import { stateOf } from "../../kernel/inbox/state.ts";
import { findLetterSecret } from "../../kernel/letters/letter-secrets.ts";
import { livesForAccount } from "../../kernel/letters/letters.ts";
import { addressKey, withoutTag } from "../../model/address.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import { findReturnTarget, type ReturnTarget } from "../bounces/match-report.ts";
import type { Evidence } from "./evidence.ts";
import { findOperator, isForOperator, type Operator } from "./operator.ts";
import { findPostmaster, isForPostmaster, type Postmaster } from "./postmaster.ts";
import { isReportsName } from "./reports/rules.ts";

/**
 * The outcome of a mail for one recipient. The sender learns of `refused`, but not
 * of `dropped`; `recorded` is a delivery report or complaint that was recorded with its message, or mail that was
 * passed on to those in charge of a custom domain, or that has reports about one. `deferred` mail is to be sent again later: the account is
 * suspended, its domain may receive mail only later, or there were too many of its kind.
 */
export interface RecipientReport {
  recipient: string;
  outcome: "stored" | "duplicate" | "dropped" | "refused" | "recorded" | "deferred";
  reason:
    | "unknown_recipient"
    | "inbox_expired"
    | "inbox_paused"
    | "account_suspended"
    | "domain_not_receiving"
    | "sender_blocked"
    | "forwarded_back"
    | "mail_unreadable"
    | "mail_too_complex"
    | "message_too_large"
    | "automatic_reply"
    | "too_many"
    | "no_report"
    | null;
  message_id: string | null;
}

/** The destination of a mail to one recipient. */
export interface Destination {
  report: RecipientReport;
  /** The account of the inbox, also when the inbox is paused. */
  account_id?: string;
  inbox?: InboxRecord;
  /** Whether a live code, or a link that acts alone, may be in a letter to somebody of its account. */
  letters_live?: boolean;
  returned?: ReturnTarget;
  /** The people in charge of the custom domain whose postmaster@ or abuse@ address it is. */
  postmaster?: Postmaster;
  /** It is postmaster@ or abuse@ of the service itself; reports to abuse@ are recorded with their message. */
  operator?: Operator;
  /** It is where the service takes reports about domains. */
  domain_reports?: true;
  /** The letter whose reply address it is. */
  letter?: NonNullable<Evidence["letter"]>;
}

/** Finds the current destination of mail to this recipient. */
export async function findDestination(
  services: Services,
  recipient: string,
  now: Date,
): Promise<Destination> {
  const report = (outcome: RecipientReport["outcome"], reason: RecipientReport["reason"]) => ({
    recipient,
    outcome,
    reason,
    message_id: null,
  });
  const address = addressKey(recipient);
  const found = findReturnTarget(services, address, now);
  const returned = found && (await found);
  if (isForOperator(services, address)) {
    const operator = await findOperator(services, now);
    return { report: report("recorded", null), operator, ...(returned && { returned }) };
  }
  if (returned !== undefined) return { report: report("stored", null), returned };
  const reply_id = readReplyAddress(address);
  if (reply_id !== undefined && ourDomain(services, address) !== undefined) {
    const record = await findLetterSecret(services, reply_id, ["reply"], now);
    const account_id = record?.account_id ?? null;
    if (record === undefined || account_id === null)
      return { report: report("refused", "unknown_recipient") };
    if (await isSuspended(cachedAccounts(services), account_id))
      return { report: report("deferred", "account_suspended") };
    return { report: report("stored", null), account_id, letter: { record, address } };
  }
  if (isReportsName(address) && (await takesReports(services, address)))
    return { report: report("recorded", null), domain_reports: true };
  const postmaster = isForPostmaster(address) ? await findPostmaster(services, address) : undefined;
  if (postmaster !== undefined) {
    const { account_id } = postmaster.domain;
    if (await isSuspended(cachedAccounts(services), account_id))
      return { report: report("deferred", "account_suspended") };
    return { report: report("recorded", null), account_id, postmaster };
  }
  const addressed =
    (await addressedInbox(services, address)) ?? (await addressedInbox(services, withoutTag(address)));
  if (addressed === undefined) return { report: report("refused", "unknown_recipient") };
  const { inbox, account, parent } = addressed;
  const { receives, receives_later } = await inboxDomain(services, services.storage, inbox);
  if (!receives && receives_later(now)) return { report: report("deferred", "domain_not_receiving") };
  if (!receives) return { report: report("refused", "unknown_recipient") };
  const state = stateOf(inbox, now);
  if (state === "expired") return { report: report("refused", "inbox_expired") };
  const { account_id } = inbox;
  if (standsStill(account, parent)) return { report: report("deferred", "account_suspended") };
  if (state === "paused") return { report: report("dropped", "inbox_paused"), account_id };
  const letters_live = livesForAccount([account, parent], now);
  return { report: report("stored", null), account_id, inbox, letters_live };
}

/** Whether an address is the service's for reports: an inbox of an older version may have it, and keeps it. */
const takesReports = async (services: Services, address: string): Promise<boolean> =>
  domainOf(address) === domainOf(services.options.mailDomain) &&
  (await addressedInbox(services, withoutTag(address))) === undefined;

/** Whether a recipient would be accepted, for the reply to RCPT TO. */
export async function acceptsRecipient(
  services: Services,
  recipient: string,
): Promise<"ok" | "unknown" | "expired" | "deferred"> {
  const { report } = await findDestination(services, recipient, services.clock.now());
  const { outcome, reason } = report;
  if (outcome === "deferred") return "deferred";
  if (reason === "unknown_recipient") return "unknown";
  return reason === "inbox_expired" ? "expired" : "ok";
}
