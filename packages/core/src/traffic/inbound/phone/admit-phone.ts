import { LIMITS } from "../../../catalogue/limits.ts";
import { isSuspended } from "../../../kernel/access/suspended.ts";
import type { Services } from "../../../kernel/context.ts";
import { countMetrics } from "../../../kernel/events/count.ts";
import { stateOf } from "../../../kernel/inbox/state.ts";
import { hashSecret } from "../../../kernel/secrets.ts";
import { unitOfWork } from "../../../kernel/unit-of-work.ts";
import { entriesFor, letsIn } from "../../../mailbox/allowlist/index.ts";
import { blockedSender, lookUpSenderLists } from "../../../mailbox/lists/index.ts";
import { term } from "../../../mailbox/messages/index.ts";
import { iso } from "../../../model/fields.ts";
import type { InboxRecord } from "../../../model/inboxes.ts";
import { findInboxByNumber } from "../../../phone/telephony/index.ts";
import type { StorageReader, StorageWriter } from "../../../ports/storage.ts";

/** The two sides of a text or call from outside, in E.164; `theirs` is what the network says, and may be no number. */
export interface Ends {
  ours: string;
  theirs: string;
}

/** Whether an inbox takes a text or call: `dropped` if it takes nothing now, `blocked` if its lists say so. */
export type PhoneAdmission =
  | { verdict: "unknown" }
  | { verdict: "admitted" | "dropped"; inbox: InboxRecord }
  | { verdict: "blocked"; inbox: InboxRecord; reason: "block_list" | "allow_list" };

/** Anybody can forge a number. */
const NOBODY = { kind: "none" } as const;

/** Finds the inbox of a number, and decides by its state and lists whether it takes a text or call. */
export async function admitPhone(
  services: Services,
  { ours, theirs }: Ends,
  now: Date,
): Promise<PhoneAdmission> {
  const inbox = await findInboxByNumber(services.storage, ours);
  if (inbox === undefined) return { verdict: "unknown" };
  if (stateOf(inbox, now) !== "active" || (await isSuspended(services.storage, inbox.account_id)))
    return { verdict: "dropped", inbox };
  const sender = { from: [{ address: theirs, name: "" }], in_reply_to: null, references: [] };
  const blocked = blockedSender(await lookUpSenderLists(services, inbox, sender), NOBODY);
  return blocked === undefined
    ? { verdict: "admitted", inbox }
    : { verdict: "blocked", inbox, reason: blocked.reason };
}

/**
 * Records that a provider's item was taken in at a place; returns false if it was before. Kept for 90 days, so that a
 * replay changes nothing even after the message was deleted.
 */
export async function noteTaken(
  writer: StorageWriter,
  name: string,
  place: string,
  now: Date,
): Promise<boolean> {
  const expires_at = iso(new Date(now.getTime() + LIMITS.signatures_seen_ms));
  const { inserted } = await writer.insert("seen_signatures", {
    hash: hashSecret(name),
    place,
    named: true,
    expires_at,
  });
  return inserted;
}

/** The place at which a name was noted. */
export async function placeOfTaken(
  reader: Pick<StorageReader, "find">,
  name: string,
): Promise<string | undefined> {
  const [seen] = await reader.find("seen_signatures", { where: { hash: hashSecret(name) }, limit: 1 });
  return seen?.place;
}

/** Counts a dropped item, and reports a blocked one, once; returns false for a replay. */
export async function recordRefused(
  services: Services,
  admission: Exclude<PhoneAdmission, { verdict: "unknown" | "admitted" }>,
  { name, theirs }: { name: string; theirs: string },
  now: Date,
): Promise<boolean> {
  const { inbox } = admission;
  return unitOfWork(services, inbox.account_id, now, async (work) => {
    if (!(await noteTaken(work, name, inbox.id, now))) return false;
    if (admission.verdict === "blocked") {
      const { reason } = admission;
      const data = { inbox_id: inbox.id, from: theirs, subject: "", direction: "receive" as const, reason };
      work.publish({ type: "message.blocked", inbox_id: inbox.id, data });
    } else {
      await countMetrics(work, inbox.account_id, ["inbound.dropped"], now);
    }
    return true;
  });
}

/**
 * Looks up an inbox's relation to a number: whether it is on the allowlist, and whether they have exchanged messages.
 */
export async function lookUpNumber({ storage }: Pick<Services, "storage">, inbox_id: string, number: string) {
  const [entries, [known]] = await Promise.all([
    storage.find("allowlist", { where: { inbox_id, address: { in: entriesFor(number) } }, limit: 2 }),
    storage.find("message_terms", {
      where: { inbox_id, term: { in: [term.from(number), term.to(number)] } },
      limit: 1,
    }),
  ]);
  return { allowlisted: entries.some((entry) => letsIn(entry, number, NOBODY)), known: known !== undefined };
}
