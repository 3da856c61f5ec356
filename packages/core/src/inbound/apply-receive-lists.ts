import type { Services } from "../kernel/context.ts";
import { webhooksOf } from "../kernel/events/deliveries.ts";
import { unitOfWork } from "../kernel/unit-of-work.ts";
import type { Work } from "../kernel/work.ts";
import { blockedSender } from "../lists/index.ts";
import { isAwaited, scheduleBlobCollection } from "../messages/index.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { WebhookRecord } from "../model/webhooks.ts";
import type { Evidence, StoreOutcome } from "./evidence.ts";
import { addressOf, lookUpAuthor } from "./look-up-sender.ts";
import { findParent, type Parent, readAsReply } from "./read-as-reply.ts";
import { carryOutOnly, storeMail } from "./store-mail.ts";

/** The outcome of a mail for one inbox. */
export type ReceiveOutcome =
  | StoreOutcome
  | { outcome: "dropped"; reason: "sender_blocked"; message_id: null };

/** What an inbox and its account know that bears on a mail. */
export interface Known {
  blocked: Awaited<ReturnType<typeof blockedSender>>;
  author: Awaited<ReturnType<typeof lookUpAuthor>>;
  webhooks: readonly WebhookRecord[];
  parent: Parent | undefined;
  awaited: boolean;
}

/** Everything that an ordinary mail needs of what its inbox knows, read at once. */
export async function lookUpKnown(
  services: Services,
  inbox: InboxRecord,
  evidence: Pick<Evidence, "mail" | "letter" | "redacted">,
): Promise<Known> {
  const { mail } = evidence;
  const [blocked, author, webhooks, parent, awaited] = await Promise.all([
    blockedSender(services, inbox, mail),
    lookUpAuthor(services, inbox, mail),
    webhooksOf(services, inbox.account_id),
    findParent(services, inbox, evidence),
    isAwaited(services, inbox.id, mail.message_id),
  ]);
  return { blocked, author, webhooks, parent, awaited };
}

/**
 * Admits a mail to an inbox unless its lists block the sender: then nothing is stored and `message.blocked`
 * is published; an injected mail's caller gets an error instead. `known`: what the inbox knows, if the caller has
 * just read it.
 */
export async function applyReceiveLists(
  services: Services,
  inbox: InboxRecord,
  evidence: Evidence,
  now: Date,
  known?: Known,
): Promise<ReceiveOutcome> {
  const { mail, origin, raw } = evidence;
  const { blocked, author, webhooks, parent, awaited } =
    known ?? (await lookUpKnown(services, inbox, evidence));
  if (blocked === undefined) {
    const read = await readAsReply(services, evidence, parent, author);
    return storeMail(services, inbox, read, { author, webhooks, awaited }, now);
  }
  if (evidence.letter !== undefined) await carryOutOnly(services, inbox, evidence, { author, webhooks }, now);
  const recordBlocked = async (work: Work) => {
    scheduleBlobCollection(work, [raw.hash], now);
    if (origin === "injected") return;
    const { direction, reason } = blocked;
    const data = { inbox_id: inbox.id, from: addressOf(mail), subject: mail.subject, direction, reason };
    work.publish({ type: "message.blocked", inbox_id: inbox.id, data });
  };
  await unitOfWork(services, inbox.account_id, now, recordBlocked, { webhooks });
  return { outcome: "dropped", reason: "sender_blocked", message_id: null };
}
