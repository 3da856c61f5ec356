import type { Services } from "../../kernel/context.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { Work } from "../../kernel/work.ts";
import { giveBackMinutes } from "../../limits/plans/index.ts";
import { attentionOf, snapshotOf } from "../../mailbox/messages/index.ts";
import { iso } from "../../model/fields.ts";
import type { DeliveryEvent } from "../../model/message-facts.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { CallStatus, TelephonyEvent } from "../../ports/telephony.ts";
import { EARLIER_STATUSES, isUnderWay, minutesTalked } from "./call-rules.ts";

const MAX_DETAIL_CHARS = 500;

/** A status change of a call. */
export interface CallChange {
  status: CallStatus;
  /** Its duration in seconds; null before its end, and when unknown. */
  duration_seconds: number | null;
  /** The provider's id, where it is known. */
  provider_id: string | null;
  /** Why it failed, in the provider's words; else empty. */
  detail: string;
  /** The type of a failed call's delivery event, if not `failed`. */
  event?: DeliveryEvent["type"];
}

/**
 * Records a call's new status in the caller's transaction, and publishes it. A status never goes back: late or
 * repeated changes have no effect. At its end a call's minutes are settled, once. Returns whether anything changed.
 */
export async function changeCallStatus(
  work: Work,
  message_id: string,
  change: CallChange,
  now: Date,
): Promise<boolean> {
  const call = await work.get("messages", message_id);
  if (call === undefined || call.phone === null) return false;
  const { inbox_id, phone } = call;
  const { status } = change;
  const ends = status !== "ringing";
  const duration_seconds = ends ? durationOf(change) : null;
  const [changed] = await work.update(
    "messages",
    { id: message_id, status: { in: EARLIER_STATUSES[status] } },
    {
      status,
      attention: attentionOf({ ...call, status }),
      delivery_events: [...call.delivery_events, ...happenedTo(call, change, now)],
      phone: { ...phone, duration_seconds, provider_id: phone.provider_id ?? change.provider_id },
    },
  );
  if (changed === undefined) return false;
  if (ends) await settle(work, call, status, duration_seconds);
  work.publish({
    type: "phone.call_updated",
    inbox_id,
    message_id,
    data: { message: snapshotOf(changed) },
  });
  return true;
}

/** Notes that the provider has taken a call, unless a callback was faster. */
export async function notePlaced(work: Work, message_id: string, provider_id: string): Promise<void> {
  const call = await work.get("messages", message_id);
  if (call === undefined || call.phone === null || call.phone.provider_id !== null) return;
  await work.update("messages", { id: message_id }, { phone: { ...call.phone, provider_id } });
}

/**
 * Records a status that the provider reports for a call. Returns false when it is none of ours: no such call, or the
 * provider knows it by another id.
 */
export async function recordCallStatus(
  services: Services,
  {
    message_id,
    provider_id,
    status,
    duration_seconds,
    detail,
  }: Extract<TelephonyEvent, { kind: "call_status" }>,
  now: Date,
): Promise<boolean> {
  const call = await services.storage.get("messages", message_id);
  if (call?.channel !== "voice" || call.phone === null || call.provider !== services.telephony.name)
    return false;
  if (call.phone.provider_id !== null && call.phone.provider_id !== provider_id) return false;
  if (!isUnderWay(call)) return true;
  await unitOfWork(services, call.account_id, now, (work) =>
    changeCallStatus(work, message_id, { status, provider_id, duration_seconds, detail }, now),
  );
  return true;
}

async function settle(
  work: Work,
  { id, account_id, created_at, phone }: MessageRecord,
  status: CallStatus,
  duration_seconds: number | null,
): Promise<void> {
  await work.delete("jobs", { subject_id: id, kind: "call.settle" });
  const reserved = phone?.minutes_reserved ?? 0;
  const left = reserved - minutesTalked(status, duration_seconds, reserved);
  if (left > 0) await giveBackMinutes(work, account_id, left, new Date(created_at));
}

/** An unanswered or failed call has no duration unless the provider reports one. */
const durationOf = ({ status, duration_seconds }: CallChange): number | null =>
  duration_seconds === null ? (status === "completed" ? null : 0) : Math.max(0, Math.round(duration_seconds));

const happenedTo = (
  { to }: Pick<MessageRecord, "to">,
  { status, detail, event = "failed" }: CallChange,
  now: Date,
): DeliveryEvent[] =>
  status === "failed"
    ? [
        {
          type: event,
          recipient: to[0] ?? "",
          created_at: iso(now),
          detail: detail.slice(0, MAX_DETAIL_CHARS),
        },
      ]
    : [];
