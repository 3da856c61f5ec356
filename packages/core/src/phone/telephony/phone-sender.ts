import { fail } from "../../catalogue/errors.ts";
import { trippedFault } from "../../mailbox/canaries/index.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { OutboundFinding } from "../../model/outbound.ts";
import type { PhoneNumberRecord } from "../../model/phone-numbers.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { findActiveNumber } from "./find.ts";

/** The caller of a text or call, the payload of its job, and the findings in it. */
export interface QueuedSend {
  asked_by?: string | null;
  payload?: Record<string, unknown>;
  findings?: OutboundFinding[] | null;
}

/**
 * Returns the inbox and number that a text or call leaves from, read in the transaction that queues it: meanwhile the
 * inbox may have been deleted or paused, or its number released. Fails with `inbox_not_found`,
 * `phone_number_not_found`, `inbox_paused` or `sending_paused`.
 */
export async function phoneSenderOf(
  work: StorageReader,
  inbox_id: string,
): Promise<{ inbox: InboxRecord; number: PhoneNumberRecord }> {
  const inbox = await work.get("inboxes", inbox_id);
  if (inbox === undefined) throw fail("inbox_not_found");
  const number = await findActiveNumber(work, inbox.id);
  if (number === undefined) throw fail("phone_number_not_found");
  if (inbox.status === "paused") throw fail("inbox_paused");
  const tripped = trippedFault(inbox);
  if (tripped !== null) throw tripped;
  return { inbox, number };
}
