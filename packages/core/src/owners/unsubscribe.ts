import type { Services } from "../kernel/context.ts";
import type { Work } from "../kernel/work.ts";
import { newOwnerPages, type OwnerReply, threadOf, updatesEndedLetters } from "../letters/index.ts";
import { sendLetter } from "../messages/index.ts";
import type { AccountRecord } from "../model/accounts.ts";
import { iso } from "../model/fields.ts";
import type { OwnerRecord } from "../model/owners.ts";
import { shownOwner } from "./rules.ts";

/**
 * Stops update mail to an owner, in the caller's transaction. Queued updates are skipped; rights and other
 * letters stay. Repeating it changes nothing.
 */
export async function unsubscribeOwner(
  work: Work,
  { id, account_id, inbox_id }: OwnerRecord,
  now: Date,
): Promise<void> {
  const [left] = await work.update("owners", { id, unsubscribed_at: null }, { unsubscribed_at: iso(now) });
  const account: AccountRecord | undefined = await work.get("accounts", account_id);
  if (left === undefined || account === undefined) return;
  await work.update(
    "update_deliveries",
    { owner_id: id, status: "queued" },
    { status: "skipped", reason: "unsubscribed" },
  );
  work.publish({ type: "owner.unsubscribed", inbox_id, data: { owner: shownOwner(left, account) } });
}

/**
 * Unsubscribes an owner whose mail asked for it, and confirms it by letter. A second such mail gets no reply.
 */
export async function leaveUpdates(
  services: Services,
  work: Work,
  { inbox, message, owner, now }: OwnerReply,
): Promise<void> {
  const current = await work.get("owners", owner.id);
  if (current === undefined || current.unsubscribed_at !== null) return;
  await unsubscribeOwner(work, current, now);
  const { email: inbox_email, display_name } = inbox;
  const pages = newOwnerPages(services);
  const letters = updatesEndedLetters({ inbox_email, display_name, style_url: pages.style_url });
  await sendLetter(services, work, {
    inbox,
    to: owner.email,
    ...letters,
    owner_id: owner.id,
    secrets: pages.secrets,
    thread: threadOf(message),
    now,
  });
}
