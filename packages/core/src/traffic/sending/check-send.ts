import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { rootAccount } from "../../kernel/access/root-account.ts";
import type { InboxContext } from "../../kernel/context.ts";
import { stateOf } from "../../kernel/inbox/state.ts";
import { checkSendingHealth } from "../../limits/health/index.ts";
import { checkNotTripped } from "../../mailbox/canaries/index.ts";
import { checkSendLists } from "../../mailbox/lists/index.ts";
import { checkLabels, isRecipient } from "../../mailbox/messages/index.ts";
import { checkSuppressions } from "../../mailbox/suppressions/index.ts";
import { distinctAddresses } from "../../model/address.ts";

/** The inbox that would send, and its context. */
export type Sender = Pick<InboxContext, "inbox" | "now" | "options" | "storage">;

/** The fields of a mail that are checked. */
export interface MailToCheck {
  to: readonly string[];
  cc: readonly string[];
  bcc: readonly string[];
  text?: string | null | undefined;
  html?: string | null | undefined;
  labels?: readonly string[] | undefined;
}

/**
 * Checks whether a mail may be sent now: before it is queued or held, and again before a draft is sent. Every send,
 * reply and forward passes here, whoever named its recipients. Fails with `no_recipients`, `invalid_address`,
 * `too_many_recipients`, `missing_body`, `invalid_label`, `protected_label`, `recipient_blocked`,
 * `recipient_suppressed`, `sending_paused` or as `checkMaySend` does.
 */
export async function checkSend(sender: Sender, mail: MailToCheck): Promise<void> {
  checkMail(mail);
  await checkMaySend(sender);
  const { storage, inbox, now } = sender;
  const recipients = [...mail.to, ...mail.cc, ...mail.bcc];
  await checkSendLists(storage, inbox, recipients);
  await checkSuppressions(sender, recipients);
  await checkSendingHealth(storage, inbox.account_id, now);
}

/** Checks the inbox and its account. Fails with `inbox_paused`, `inbox_expired` or `account_unclaimed`. */
async function checkMaySend({ inbox, now, options, storage }: Sender): Promise<void> {
  const state = stateOf(inbox, now);
  if (state === "paused") throw fail("inbox_paused");
  if (state === "expired") throw fail("inbox_expired");
  checkNotTripped(inbox);
  if (options.onboarding !== "claimed") return;
  const account = await rootAccount(storage, inbox.account_id);
  if (account?.claimed !== true) throw fail("account_unclaimed");
}

function checkMail({ to, cc, bcc, text, html, labels = [] }: MailToCheck): void {
  const recipients = distinctAddresses([...to, ...cc, ...bcc]).length;
  if (recipients === 0) throw fail("no_recipients", { param: "to" });
  for (const [param, addresses] of Object.entries({ to, cc, bcc }))
    if (!addresses.every(isRecipient)) throw fail("invalid_address", { param });
  if (recipients > LIMITS.recipients) throw fail("too_many_recipients", { param: "to" });
  if (!text && !html) throw fail("missing_body", { param: "text" });
  checkLabels(labels, "labels");
}
