import { LIMITS } from "../../catalogue/limits.ts";
import { standsStill } from "../../kernel/access/suspended.ts";
import { ourDomain } from "../../kernel/addresses/mail-domain.ts";
import type { Services } from "../../kernel/context.ts";
import { addressedInbox } from "../../kernel/inbox/find.ts";
import { stateOf } from "../../kernel/inbox/state.ts";
import { livesForAccount } from "../../kernel/letters/letters.ts";
import { count } from "../../kernel/rate.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import { automaticReply } from "../../mail/automatic-mail.ts";
import { scheduleBlobCollection } from "../../mailbox/messages/index.ts";
import { addressKey, withoutTag } from "../../model/address.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { Evidence, ReceivedMail } from "./evidence.ts";
import { isForPostmaster, receiveForPostmaster } from "./postmaster.ts";
import { type ReceiveOutcome, receiveForInbox } from "./receive-for-inbox.ts";

const HOUR_MS = 3600_000;

/** The inbox in which the service's operator gets mail, if it takes mail now. */
export interface Operator {
  inbox?: InboxRecord;
  letters_live?: boolean;
}

/** Whether an address is postmaster@ or abuse@ of the service's own domain, or postmaster alone (RFC 5321, 4.5.1). */
export function isForOperator(services: Pick<Services, "options">, address: string): boolean {
  if (withoutTag(address) === "postmaster") return true;
  return isForPostmaster(address) && ourDomain(services, address) !== undefined;
}

/** Finds the inbox that the operator has named; without one, or while it takes no mail, their mail is kept elsewhere. */
export async function findOperator(services: Services, now: Date): Promise<Operator> {
  const { postmaster } = services.options;
  const named = postmaster === null ? undefined : await addressedInbox(services, addressKey(postmaster));
  if (
    named === undefined ||
    stateOf(named.inbox, now) !== "active" ||
    standsStill(named.account, named.parent)
  )
    return {};
  return { inbox: named.inbox, letters_live: livesForAccount([named.account, named.parent], now) };
}

/** The outcome of a mail to the operator. */
export type OperatorOutcome = ReceiveOutcome | Awaited<ReturnType<typeof receiveForPostmaster>>;

/**
 * Receives a mail for the operator: in the inbox that they named, as a letter to the address outside that they named,
 * or with the port that keeps it. What comes beyond an hour's limit is to be sent again later.
 */
export async function receiveForOperator(
  services: Services,
  { inbox }: Operator,
  { raw, envelope }: Pick<ReceivedMail, "raw" | "envelope">,
  recipient: string,
  evidence: Evidence,
  now: Date,
): Promise<OperatorOutcome> {
  const { options, storage, operatorMail } = services;
  if (inbox !== undefined) return receiveForInbox(services, inbox, { ...evidence, came_to: recipient }, now);
  const emails = options.postmaster === null ? [] : [options.postmaster];
  const is_outside = emails.every((email) => ourDomain(services, email) === undefined);
  if (emails.length > 0 && is_outside) {
    const domain = { id: options.mailDomain, account_id: "" };
    return receiveForPostmaster(services, { domain, emails }, recipient, evidence, now);
  }
  await unitOfWork(services, "", now, async (work) => scheduleBlobCollection(work, [evidence.raw.hash], now));
  const { mail_from } = envelope;
  if (automaticReply(evidence.mail, { mail_from, injected: false, answers_soon: false }) !== null)
    return { outcome: "dropped", reason: "automatic_reply", message_id: null };
  const cap = { name: "operator-mail", max: LIMITS.operator_mails_per_hour, window_ms: HOUR_MS };
  if (!(await count(storage, cap, now)).within)
    return { outcome: "deferred", reason: "too_many", message_id: null };
  await operatorMail.keep({ recipient, raw: raw.subarray(0, LIMITS.operator_mail_bytes), received_at: now });
  return { outcome: "recorded", reason: null, message_id: null };
}
