import { isDeepStrictEqual } from "node:util";
import { findReturnTarget, type ReturnTarget } from "../bounces/index.ts";
import { readReplyAddress } from "../catalogue/letter-words.ts";
import type { Services } from "../kernel/context.ts";
import { addressedInbox } from "../kernel/inbox/find.ts";
import { stateOf } from "../kernel/inbox/state.ts";
import { inboxDomain } from "../kernel/inbox-domain.ts";
import { findLetterSecret } from "../kernel/letter-secrets.ts";
import { ourDomain } from "../kernel/mail-domain.ts";
import { cachedAccounts, isSuspended, standsStill } from "../kernel/suspended.ts";
import { addressKey, withoutTag } from "../model/address.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { Evidence } from "./evidence.ts";
import { findPostmaster, isForPostmaster, type Postmaster } from "./postmaster.ts";

/**
 * The outcome of a mail for one recipient. The sender learns of `refused`, but not
 * of `dropped`; `recorded` is a delivery report or complaint that was recorded with its message, or mail that was
 * passed on to those in charge of a custom domain. `deferred` mail is to be sent again later: the account is
 * suspended, or there were too many of its kind.
 */
export interface RecipientReport {
  recipient: string;
  outcome: "stored" | "duplicate" | "dropped" | "refused" | "recorded" | "deferred";
  reason:
    | "unknown_recipient"
    | "inbox_expired"
    | "inbox_paused"
    | "account_suspended"
    | "sender_blocked"
    | "mail_unreadable"
    | "mail_too_complex"
    | "automatic_reply"
    | "too_many"
    | null;
  message_id: string | null;
}

/** Where a mail to one recipient goes. */
export interface Destination {
  report: RecipientReport;
  /** The account of the inbox, also when the inbox is paused. */
  account_id?: string;
  inbox?: InboxRecord;
  returned?: ReturnTarget;
  /** Those in charge of the custom domain whose postmaster@ or abuse@ it is. */
  postmaster?: Postmaster;
  /** The letter whose reply address it is. */
  letter?: NonNullable<Evidence["letter"]>;
}

/** Finds where a mail to this recipient goes now. */
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
  const found = findReturnTarget(services, address);
  const returned = found && (await found);
  if (returned !== undefined) return { report: report("stored", null), returned };
  const reply_id = readReplyAddress(address);
  if (reply_id !== undefined && ourDomain(services, address) !== undefined) {
    const record = await findLetterSecret(services, reply_id, ["reply"], now);
    if (record === undefined) return { report: report("refused", "unknown_recipient") };
    const { account_id } = record;
    if (await isSuspended(cachedAccounts(services), account_id))
      return { report: report("deferred", "account_suspended") };
    return { report: report("stored", null), account_id, letter: { record, address } };
  }
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
  if (!(await inboxDomain(services, services.storage, inbox)).receives)
    return { report: report("refused", "unknown_recipient") };
  const state = stateOf(inbox, now);
  if (state === "expired") return { report: report("refused", "inbox_expired") };
  const { account_id } = inbox;
  if (standsStill(account, parent)) return { report: report("deferred", "account_suspended") };
  if (state === "paused") return { report: report("dropped", "inbox_paused"), account_id };
  return { report: report("stored", null), account_id, inbox };
}

/** Whether a recipient would be accepted, for the reply to RCPT TO. */
export async function acceptsRecipient(
  services: Services,
  recipient: string,
): Promise<"ok" | "unknown" | "expired" | "deferred"> {
  const destination = await findDestination(services, recipient, services.clock.now());
  remember(services, recipient, destination);
  const { outcome, reason } = destination.report;
  if (outcome === "deferred") return "deferred";
  if (reason === "unknown_recipient") return "unknown";
  return reason === "inbox_expired" ? "expired" : "ok";
}

/** How many recipients' destinations are remembered. */
const MAX_REMEMBERED = 1_000;
const rememberedBy = new WeakMap<Services, Map<string, Destination>>();

/** Remembers an inbox that a mail is likely to come for, unless the storage's records are cached. */
function remember(services: Services, recipient: string, destination: Destination): void {
  if (destination.inbox === undefined || services.storage.version !== undefined) return;
  const remembered = rememberedBy.get(services) ?? new Map<string, Destination>();
  rememberedBy.set(services, remembered);
  remembered.delete(recipient);
  remembered.set(recipient, destination);
  const [oldest] = remembered.keys();
  if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}

/** Thrown where a mail no longer goes where it was expected to go. */
export class DestinationChanged extends Error {
  constructor() {
    super("the recipient is another one than at RCPT TO");
  }
}

/**
 * Where a mail goes if nothing has changed since its recipient was accepted, so that it can be read meanwhile. Nothing may be done
 * with it before `confirm`, which looks it up as it is now and throws `DestinationChanged`.
 */
export function expectedAt(
  services: Services,
  recipient: string,
  now: Date,
): { destination: Destination; confirm(): Promise<void> } | undefined {
  const remembered = rememberedBy.get(services);
  const destination = remembered?.get(recipient);
  if (destination === undefined) return undefined;
  const check = async () => {
    if (isDeepStrictEqual(await findDestination(services, recipient, now), destination)) return;
    remembered?.delete(recipient);
    throw new DestinationChanged();
  };
  let checked: Promise<void> | undefined;
  return {
    destination,
    confirm() {
      checked ??= check();
      return checked;
    },
  };
}
