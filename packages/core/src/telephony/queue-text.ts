import { spendBudget } from "../budgets/index.ts";
import type { Services } from "../kernel/context.ts";
import type { Work } from "../kernel/work.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import { takeFromPlan } from "../plans/index.ts";
import { checkPhoneRecipient, phoneSenderOf } from "./check-recipient.ts";
import { segmentsOf } from "./segments.ts";
import { type StoredPhoneMessage, storePhoneMessage } from "./store-phone-message.ts";

/** A text to be sent, to a number that was found reachable. */
export interface TextRequest {
  to: string;
  text: string;
  client_id: string | null;
}

/**
 * Queues a text in the caller's transaction: message, thread and the job that sends it are stored together, and
 * plan and budgets are charged. When a message with this client_id exists, returns that and `inserted: false`.
 * Fails with `inbox_not_found`, `phone_number_not_found`, `inbox_paused`, `plan_limit_exceeded`, `budget_exceeded`,
 * `recipient_outside_budget` or as `checkPhoneRecipient` does.
 */
export async function queueText(
  services: Pick<Services, "makeId" | "options" | "telephony">,
  work: Work,
  inbox: Pick<InboxRecord, "id">,
  { to, text, client_id }: TextRequest,
  now: Date,
  { asked_by = null, payload = {} }: { asked_by?: string | null; payload?: Record<string, unknown> } = {},
): Promise<StoredPhoneMessage> {
  const { inbox: current, number } = await phoneSenderOf(work, inbox.id);
  await checkPhoneRecipient(work, services.options, current, to, now);

  const stored = await storePhoneMessage(
    services,
    work,
    current,
    {
      ...{ direction: "outbound", channel: "sms", status: "queued", labels: ["sent"] },
      ...{ ours: number.e164, theirs: to, text, client_id, provider: services.telephony.name },
      ...segmentsOf(text),
    },
    now,
  );
  if (!stored.inserted) return stored;
  await takeFromPlan(services, work, current.account_id, "monthly_sends", 1, now);
  work.require(spendBudget(work, asked_by, stored.record, now));
  work.job({ kind: "sms.send", subject_id: stored.record.id, payload });
  return stored;
}
