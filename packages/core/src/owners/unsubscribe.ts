import type { Services } from "../kernel/context.ts";
import type { Work } from "../kernel/work.ts";
import { newOwnerPages, type OwnerReply, threadOf, updatesEndedLetters } from "../letters/index.ts";
import { sendLetter } from "../messages/index.ts";
import type { AccountRecord } from "../model/accounts.ts";
import { iso } from "../model/fields.ts";
import { addressToOwner, type OwnerRecord } from "../model/owners.ts";
import { shownOwner } from "./rules.ts";

/**
 * Stops update mail to an owner, in the caller's transaction, and returns whether they got any before. Queued
 * updates are skipped; rights and other letters stay.
 */
export async function unsubscribeOwner(
  work: Work,
  { id, account_id, inbox_id }: OwnerRecord,
  now: Date,
): Promise<boolean> {
  const [left] = await work.update("owners", { id, unsubscribed_at: null }, { unsubscribed_at: iso(now) });
  const account: AccountRecord | undefined = await work.get("accounts", account_id);
  if (left === undefined || account === undefined) return false;
  await work.update(
    "update_deliveries",
    { owner_id: id, status: "queued" },
    { status: "skipped", reason: "unsubscribed" },
  );
  work.publish({ type: "owner.unsubscribed", inbox_id, data: { owner: shownOwner(left, account) } });
  return true;
}

/**
 * Unsubscribes an owner whose mail asked for it, and confirms it by letter. A second such mail gets no reply.
 */
export async function leaveUpdates(
  services: Services,
  work: Work,
  { inbox, message, owner, now }: OwnerReply,
): Promise<void> {
  if (await unsubscribeOwner(work, owner, now))
    await confirmEnd(services, work, { inbox, owner, now, thread: threadOf(message) });
}

/**
 * Unsubscribes the owner of a letter by one of its links. Unless it was in their own session (`in_session`),
 * they are told by letter.
 */
export async function leaveUpdatesByLink(
  services: Services,
  work: Work,
  { inbox, owner, in_session, now }: Omit<OwnerReply, "message"> & { in_session: boolean },
): Promise<void> {
  const left = await unsubscribeOwner(work, owner, now);
  if (left && !in_session) await confirmEnd(services, work, { inbox, owner, now, thread: null });
}

async function confirmEnd(
  services: Services,
  work: Work,
  {
    inbox,
    owner,
    thread,
    now,
  }: Omit<OwnerReply, "message"> & { thread: { thread_id: string; answers: string } | null },
): Promise<void> {
  const { email: inbox_email, display_name } = inbox;
  const pages = newOwnerPages(services);
  const letters = updatesEndedLetters({ inbox_email, display_name, style_url: pages.style_url });
  await sendLetter(services, work, {
    inbox,
    to: addressToOwner(owner),
    ...letters,
    owner_id: owner.id,
    secrets: pages.secrets,
    thread,
    now,
  });
}
