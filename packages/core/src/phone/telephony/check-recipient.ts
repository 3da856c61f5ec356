import { fail } from "../../catalogue/errors.ts";
import { checkClaimed } from "../../kernel/access/claimed.ts";
import { rootAccount } from "../../kernel/access/root-account.ts";
import type { Services } from "../../kernel/context.ts";
import { stateOf } from "../../kernel/inbox/state.ts";
import { checkSendingHealth } from "../../limits/health/index.ts";
import { checkNotTripped } from "../../mailbox/canaries/index.ts";
import { checkSendLists } from "../../mailbox/lists/index.ts";
import { checkNumberSuppressed } from "../../mailbox/suppressions/index.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { PhoneNumberRecord } from "../../model/phone-numbers.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { findActiveNumber } from "./find.ts";

/**
 * Returns the inbox and number that a text or call leaves from, read in the transaction that queues it: meanwhile the
 * inbox may have been deleted or paused, or its number released. Fails with `inbox_not_found`,
 * `phone_number_not_found` or `inbox_paused`.
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
  checkNotTripped(inbox);
  return { inbox, number };
}

/**
 * Checks whether an inbox may text or call a reachable number now. Fails with `inbox_expired`, `account_unclaimed`,
 * `recipient_blocked`, `recipient_suppressed` or `sending_paused`.
 */
export async function checkPhoneRecipient(
  reader: StorageReader,
  { onboarding }: Pick<Services["options"], "onboarding">,
  inbox: InboxRecord,
  to: string,
  now: Date,
): Promise<void> {
  if (stateOf(inbox, now) === "expired") throw fail("inbox_expired");
  if (onboarding === "claimed") {
    const account = await rootAccount(reader, inbox.account_id);
    checkClaimed({ claimed: account?.claimed === true }, onboarding);
  }
  await checkSendLists(reader, inbox, [to]);
  await checkNumberSuppressed(reader, inbox, to);
  await checkSendingHealth(reader, inbox.account_id, now);
}
