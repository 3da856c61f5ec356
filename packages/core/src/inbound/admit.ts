import type { Parts } from "../context.ts";
import type { InboxRecord } from "../inboxes/schema.ts";
import { blockedSender } from "../lists/check.ts";
import { collectLater } from "../messages/collect-blobs.ts";
import { unitOfWork } from "../unit-of-work.ts";
import { type Delivered, deliver, type Evidence } from "./deliver.ts";

/** What became of a mail at the gate of an inbox, or behind it. */
export type Admitted = Delivered | { outcome: "dropped"; reason: "sender_blocked"; message_id: null };

/**
 * Takes a mail into an inbox unless its lists keep the sender out: then nothing is stored and `message.blocked` says so. The
 * injector's caller is told instead (decisions, section 12, "One rule, two faces").
 */
export async function admit(parts: Parts, inbox: InboxRecord, evidence: Evidence, now: Date): Promise<Admitted> {
  const { mail, origin, raw } = evidence;
  const blocked = await blockedSender(parts.storage, inbox, mail);
  if (blocked === undefined) return deliver(parts, inbox, evidence, now);
  await unitOfWork(parts, inbox.account_id, now, async (work) => {
    collectLater(work, [raw.hash], now);
    if (origin === "injected") return;
    const from = (mail.from[0]?.address ?? "").toLowerCase();
    const data = { inbox_id: inbox.id, from, subject: mail.subject, direction: blocked.direction, reason: blocked.reason };
    work.publish({ type: "message.blocked", inbox_id: inbox.id, data });
  });
  return { outcome: "dropped", reason: "sender_blocked", message_id: null };
}
