import type { Services } from "../kernel/context.ts";
import type { Work } from "../kernel/work.ts";
import { ownerPageUrls, updatesEndedLetters } from "../letters/index.ts";
import { sendLetter } from "../messages/index.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { MessageRecord } from "../model/messages.ts";

import type { OwnerRecord } from "../model/owners.ts";
import { unsubscribeOwner } from "./unsubscribe.ts";

/**
 * Ends an owner's updates because their mail says so, and writes back that it is done; a second such mail
 * gets no answer.
 */
export async function leaveUpdates(
  services: Services,
  work: Work,
  {
    inbox,
    owner,
    message,
    now,
  }: { inbox: InboxRecord; owner: OwnerRecord; message: MessageRecord; now: Date },
): Promise<void> {
  const current = await work.get("owners", owner.id);
  if (current === undefined || current.unsubscribed_at !== null) return;
  await unsubscribeOwner(work, current, now);
  const { email: inbox_email, display_name } = inbox;
  const letters = updatesEndedLetters({ inbox_email, display_name, ...ownerPageUrls(services, current) });
  const thread = { thread_id: message.thread_id, answers: message.id };
  await sendLetter(services, work, { inbox, to: owner.email, ...letters, thread, now });
}
