import type { Services } from "../../kernel/context.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { Work } from "../../kernel/work.ts";
import { blockedSender } from "../../mailbox/lists/index.ts";
import { scheduleBlobCollection } from "../../mailbox/messages/index.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import { decide } from "./decide.ts";
import type { Evidence, StoreOutcome, Surroundings } from "./evidence.ts";
import { meetRules } from "./meet-rules.ts";
import { type Known, lookUpKnown } from "./sender/look-up-known.ts";
import { addressOf, entryProof, matchSender } from "./sender/look-up-sender.ts";
import { readAsReply } from "./sender/read-as-reply.ts";
import { carryOutOnly, storeMail } from "./store-mail.ts";

/** The outcome of a mail for one inbox. */
export type ReceiveOutcome =
  | StoreOutcome
  | { outcome: "dropped"; reason: "sender_blocked"; message_id: null };

/**
 * Admits a mail to an inbox, decides about it and stores it; mail of a blocked sender is dropped. `lookedUp`: what the inbox
 * knows, if the caller has just looked it up.
 */
export async function receiveForInbox(
  services: Services,
  inbox: InboxRecord,
  evidence: Evidence,
  now: Date,
  lookedUp?: Known,
): Promise<ReceiveOutcome> {
  const known = lookedUp ?? (await lookUpKnown(services, inbox, evidence));
  const { webhooks, parent, awaited } = known;
  const proof = await entryProof(services, inbox, evidence.proof);
  const author = matchSender(known.stated, proof);
  const blocked = blockedSender(known.lists, proof);
  if (blocked !== undefined)
    return dropBlocked(services, inbox, evidence, { author, webhooks, blocked }, now);
  const reply = await readAsReply(services, evidence, parent, author);
  const screened = await decide(services, inbox, reply, author, now);
  const decided = await meetRules(services, inbox, reply, { decided: screened, author }, now);
  return storeMail(services, inbox, reply, decided, { author, webhooks, awaited }, now);
}

/**
 * Stores nothing of a mail whose sender the inbox's lists block, and publishes `message.blocked`; an injected mail's
 * caller gets an error instead.
 */
async function dropBlocked(
  services: Services,
  inbox: InboxRecord,
  evidence: Evidence,
  { blocked, author, webhooks }: Surroundings & { blocked: NonNullable<ReturnType<typeof blockedSender>> },
  now: Date,
): Promise<ReceiveOutcome> {
  const { mail, origin, raw, letter } = evidence;
  if (letter !== undefined) await carryOutOnly(services, inbox, evidence, { author, webhooks }, now);
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
