import type { Services } from "../../kernel/context.ts";
import type { Work } from "../../kernel/work.ts";
import { phraseAt, plainWords, withoutGreeting } from "../../mail/answers/answer-text.ts";
import { inAllLanguages } from "../../mail/words/index.ts";
import { sendLetter } from "../../mailbox/messages/index.ts";
import type { AccountRecord } from "../../model/accounts.ts";
import { iso } from "../../model/fields.ts";
import { addressToOwner, type OwnerRecord } from "../../model/owners.ts";
import { newOwnerPages } from "../notifications/owner-pages.ts";
import { type OwnerReply, threadOf } from "../notifications/reply.ts";
import { updatesEndedLetters } from "../notifications/updates-ended.ts";
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
    kind: "updates_ended",
    inbox,
    to: addressToOwner(owner),
    ...letters,
    owner_id: owner.id,
    secrets: pages.secrets,
    thread,
    now,
  });
}

const UNSUBSCRIBE_WORDS = inAllLanguages("unsubscribe");

const POLITE_WORDS = new Set([
  "please",
  "thanks",
  "thank",
  "you",
  "bitte",
  "danke",
  "gracias",
  "por",
  "favor",
  "merci",
  "obrigado",
  "obrigada",
  "grazie",
  "спасибо",
  "пожалуйста",
]);

/**
 * Whether a text asks to unsubscribe and says nothing else; it may be signed with one of `names`. "Stop" is
 * not one of the words, as it more likely refers to the agent's work.
 */
export function saysUnsubscribe(text: string, names: readonly string[]): boolean {
  const words = plainWords(withoutGreeting(text));
  const signers = new Set(names.flatMap(plainWords));
  return UNSUBSCRIBE_WORDS.some((phrase) => {
    const taken = phraseAt(words, phrase);
    return taken > 0 && words.slice(taken).every((word) => POLITE_WORDS.has(word) || signers.has(word));
  });
}
