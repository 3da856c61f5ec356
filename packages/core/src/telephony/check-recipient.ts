import { fail } from "../catalogue/errors.ts";
import { checkSendingHealth } from "../health/index.ts";
import { checkClaimed } from "../kernel/claimed.ts";
import type { Services } from "../kernel/context.ts";
import { stateOf } from "../kernel/inbox/state.ts";
import { rootAccount } from "../kernel/root-account.ts";
import { checkSendLists } from "../lists/index.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { StorageReader } from "../ports/storage.ts";
import { checkNumberSuppressed } from "../suppressions/index.ts";

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
