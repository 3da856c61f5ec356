import type { Parts } from "../kernel/context.ts";
import { webhooksOf } from "../kernel/events/deliveries.ts";
import { unitOfWork } from "../kernel/unit-of-work.ts";
import type { Work } from "../kernel/work.ts";
import { blockedSender } from "../lists/index.ts";
import { collectLater } from "../messages/index.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import { type Delivered, deliver, type Evidence } from "./deliver.ts";
import { addressOf, knowAuthor } from "./know-sender.ts";

/** What became of a mail at the gate of an inbox, or behind it. */
export type Admitted = Delivered | { outcome: "dropped"; reason: "sender_blocked"; message_id: null };

/**
 * Takes a mail into an inbox unless its lists keep the sender out: then nothing is stored and
 * `message.blocked` says so. The injector's caller is told instead (decisions, section 12, "One rule, two
 * faces").
 */
export async function admit(
  parts: Parts,
  inbox: InboxRecord,
  evidence: Evidence,
  now: Date,
): Promise<Admitted> {
  const { mail, origin, raw } = evidence;
  // All that the storage must be asked for an ordinary mail, in one go.
  const [blocked, author, webhooks] = await Promise.all([
    blockedSender(parts, inbox, mail),
    knowAuthor(parts, inbox, mail),
    webhooksOf(parts, inbox.account_id),
  ]);
  if (blocked === undefined) return deliver(parts, inbox, evidence, { author, webhooks }, now);
  const note = async (work: Work) => {
    collectLater(work, [raw.hash], now);
    if (origin === "injected") return;
    const { direction, reason } = blocked;
    const data = { inbox_id: inbox.id, from: addressOf(mail), subject: mail.subject, direction, reason };
    work.publish({ type: "message.blocked", inbox_id: inbox.id, data });
  };
  await unitOfWork(parts, inbox.account_id, now, note, webhooks);
  return { outcome: "dropped", reason: "sender_blocked", message_id: null };
}
