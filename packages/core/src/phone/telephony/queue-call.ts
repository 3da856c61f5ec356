import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { rootAccount } from "../../kernel/access/root-account.ts";
import type { Services } from "../../kernel/context.ts";
import { type Cap, count, countedSoFar } from "../../kernel/rate.ts";
import type { Work } from "../../kernel/work.ts";
import { spendBudget } from "../../limits/budgets/index.ts";
import { checkPlan, takeFromPlan } from "../../limits/plans/index.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { CallMode } from "../../model/message-facts.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { callMinutes } from "./call-rules.ts";
import { phoneSenderOf, type QueuedSend } from "./phone-sender.ts";
import { type StoredPhoneMessage, storePhoneMessage } from "./store-phone-message.ts";

const DAY_MS = 24 * 3600_000;

/** A call to be placed, to a number that was found reachable. */
export interface CallRequest {
  to: string;
  say: string;
  mode: CallMode;
  client_id: string | null;
}

/**
 * Queues a call in the caller's transaction: message, thread and the jobs that place and settle it are stored
 * together; the day's calls, the plan's minutes and budgets are charged. When a message with this client_id exists,
 * returns that and `inserted: false`. Fails, in this order, with `inbox_not_found`, `phone_number_not_found`,
 * `inbox_paused`, `daily_call_cap`, `plan_limit_exceeded`, `budget_exceeded` or
 * `recipient_outside_budget`.
 */
export async function queueCall(
  services: Pick<Services, "makeId" | "options" | "telephony">,
  work: Work,
  inbox: Pick<InboxRecord, "id">,
  { to, say, mode, client_id }: CallRequest,
  now: Date,
  { asked_by = null, payload = {}, findings = null }: QueuedSend = {},
): Promise<StoredPhoneMessage> {
  const { inbox: current, number } = await phoneSenderOf(work, inbox.id);

  const { account_id } = current;
  const minutes = callMinutes(say, mode, LIMITS.call_recording_seconds);
  const stored = await storePhoneMessage(
    services,
    work,
    current,
    {
      outbound_findings: findings,
      ...{ direction: "outbound", channel: "voice", status: "queued", labels: ["sent"] },
      ...{ ours: number.e164, theirs: to, subject: `Call to ${to}`, text: say, client_id, mode },
      provider: services.telephony.name,
      // Without plans nothing is taken, so nothing is given back if plans exist when the call ends.
      minutes_reserved: services.options.plans === null ? 0 : minutes,
    },
    now,
  );
  if (!stored.inserted) return stored;
  const { within } = await count(work, await capOf(work, account_id), now);
  if (!within) throw fail("daily_call_cap");
  await takeFromPlan(services, work, account_id, "voice_minutes", minutes, now);
  await spendBudget(work, asked_by, stored.record, now);

  const subject_id = stored.record.id;
  work.job({ kind: "call.place", subject_id, payload: { ...payload, minutes } });
  const due_at = new Date(now.getTime() + LIMITS.call_settled_after_ms);
  work.job({ kind: "call.settle", subject_id, due_at });
  return stored;
}

/**
 * Checks a call that waits for an owner and is counted when it is placed: fails if the day's calls or the plan would
 * refuse it now. Fails with `daily_call_cap` or `plan_limit_exceeded`.
 */
export async function checkCallAllowance(
  services: Pick<Services, "options">,
  reader: StorageReader,
  account_id: string,
  { say, mode }: Pick<CallRequest, "say" | "mode">,
  now: Date,
): Promise<void> {
  const cap = await capOf(reader, account_id);
  if ((await countedSoFar(reader, cap, now)) >= cap.max) throw fail("daily_call_cap");
  const minutes = callMinutes(say, mode, LIMITS.call_recording_seconds);
  await checkPlan(services, reader, account_id, "voice_minutes", minutes, now);
}

/** The calls of an account and its sub-accounts in a day (UTC). */
async function capOf(reader: StorageReader, account_id: string): Promise<Cap> {
  const account = await rootAccount(reader, account_id);
  return { name: `calls:${account?.id ?? account_id}`, max: LIMITS.calls_per_day, window_ms: DAY_MS };
}
