import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { rootAccount } from "../../kernel/access/root-account.ts";
import type { Services } from "../../kernel/context.ts";
import { count, countedSoFar } from "../../kernel/rate.ts";
import type { Work } from "../../kernel/work.ts";
import { spendBudget } from "../../limits/budgets/index.ts";
import { takeFromPlan } from "../../limits/plans/index.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { phoneSenderOf, type QueuedSend } from "./phone-sender.ts";
import { segmentsOf } from "./segments.ts";
import { type StoredPhoneMessage, storePhoneMessage } from "./store-phone-message.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3600_000;

/** A text to be sent, to a number that was found reachable. */
export interface TextRequest {
  to: string;
  text: string;
  client_id: string | null;
}

/**
 * Queues a text in the caller's transaction: message, thread and the job that sends it are stored together, and
 * plan and budgets are charged. When a message with this client_id exists, returns that and `inserted: false`.
 * Fails with `inbox_not_found`, `phone_number_not_found`, `inbox_paused`, `rate_limited`, `plan_limit_exceeded`,
 * `budget_exceeded` or `recipient_outside_budget`.
 */
export async function queueText(
  services: Pick<Services, "makeId" | "options" | "telephony">,
  work: Work,
  inbox: Pick<InboxRecord, "id">,
  { to, text, client_id }: TextRequest,
  now: Date,
  { asked_by = null, payload = {}, findings = null }: QueuedSend = {},
): Promise<StoredPhoneMessage> {
  const { inbox: current, number } = await phoneSenderOf(work, inbox.id);

  const stored = await storePhoneMessage(
    services,
    work,
    current,
    {
      outbound_findings: findings,
      ...{ direction: "outbound", channel: "sms", status: "queued", labels: ["sent"] },
      ...{ ours: number.e164, theirs: to, text, client_id, provider: services.telephony.name },
      ...segmentsOf(text),
    },
    now,
  );
  if (!stored.inserted) return stored;
  if (services.options.plans === null) await countText(work, current.account_id, now);
  await takeFromPlan(services, work, current.account_id, "monthly_sends", 1, now);
  work.require(spendBudget(work, asked_by, stored.record, now));
  work.job({ kind: "sms.send", subject_id: stored.record.id, payload });
  return stored;
}

/** Fails as counting a text of the account would, and counts nothing. */
export async function checkTextRate(reader: StorageReader, account_id: string, now: Date): Promise<void> {
  for (const cap of await capsOf(reader, account_id))
    if ((await countedSoFar(reader, cap, now)) >= cap.max) throw fail("rate_limited");
}

async function capsOf(reader: StorageReader, account_id: string) {
  const account = await rootAccount(reader, account_id);
  const name = `texts:${account?.id ?? account_id}`;
  return [
    { max: LIMITS.texts_per_day, window_ms: DAY_MS, what: "a day" },
    { max: LIMITS.texts_per_minute, window_ms: MINUTE_MS, what: "a minute" },
  ].map((cap) => ({ ...cap, name: `${name}:${cap.window_ms}` }));
}

/** Counts a text of an account and its workspaces. Fails with `rate_limited`, which says when the count resets. */
async function countText(work: Work, account_id: string, now: Date): Promise<void> {
  for (const { what, ...cap } of await capsOf(work, account_id)) {
    const counted = await count(work, cap, now);
    if (counted.within) continue;
    throw fail("rate_limited", {
      message: `An account without a plan may send ${cap.max} texts ${what}.`,
      retry_after_seconds: counted.retry_after_seconds,
      resets_at: iso(new Date(now.getTime() + counted.retry_after_seconds * 1000)),
    });
  }
}
