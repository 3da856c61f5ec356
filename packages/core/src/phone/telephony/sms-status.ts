import type { Services } from "../../kernel/context.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { Work } from "../../kernel/work.ts";
import { attentionOf, snapshotOf } from "../../mailbox/messages/index.ts";
import { iso } from "../../model/fields.ts";
import type { DeliveryEvent } from "../../model/message-facts.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { TelephonyEvent } from "../../ports/telephony.ts";

const MAX_DETAIL_CHARS = 500;

/** The outcome of a text. */
export interface TextOutcome {
  status: "sent" | "delivered" | "failed";
  /** The provider's id, where it is known. */
  provider_id: string | null;
  /** Why it failed, in the provider's words; else empty. */
  detail: string;
  /** The delivery event, if its name differs from the status. */
  event?: DeliveryEvent["type"];
}

/**
 * Records a text's outcome in the caller's transaction, with its delivery event, and publishes it. A text goes from
 * `queued` to `sent` or `failed`, may turn out `failed` until it was delivered, and never goes back: late or repeated
 * changes have no effect. Returns the message, or undefined when nothing changed.
 */
export async function changeTextStatus(
  work: Work,
  message_id: string,
  { status, provider_id, detail, event = status }: TextOutcome,
  now: Date,
): Promise<MessageRecord | undefined> {
  const found = await work.get("messages", message_id);
  if (found === undefined || !mayBecome(found, status)) return undefined;
  const { inbox_id, phone } = found;
  const happened: DeliveryEvent = {
    type: event,
    recipient: found.to[0] ?? "",
    created_at: iso(now),
    detail: detail.slice(0, MAX_DETAIL_CHARS),
  };
  const next = status === "delivered" ? "sent" : status;
  const [changed] = await work.update(
    "messages",
    { id: message_id, status: { in: EARLIER[status] } },
    {
      status: next,
      attention: attentionOf({ ...found, status: next }),
      delivery_events: [...found.delivery_events, happened],
      phone: phone === null ? null : { ...phone, provider_id: phone.provider_id ?? provider_id },
    },
  );
  if (changed === undefined) return undefined;
  const data = { message: snapshotOf(changed) };
  if (status === "failed")
    work.publish({ type: "message.failed", inbox_id, message_id, data: { ...data, reason: detail } });
  if (status !== "failed" && found.status === "queued")
    work.publish({ type: "message.sent", inbox_id, message_id, data });
  if (status === "delivered") work.publish({ type: "message.delivered", inbox_id, message_id, data });
  return changed;
}

/** The statuses from which a text may change to each status. */
const EARLIER: Record<TextOutcome["status"], MessageRecord["status"][]> = {
  sent: ["queued"],
  delivered: ["queued", "sent"],
  failed: ["queued", "sent"],
};

const mayBecome = ({ status, delivery_events }: MessageRecord, next: TextOutcome["status"]): boolean =>
  EARLIER[next].includes(status) && !delivery_events.some(({ type }) => type === "delivered");

/**
 * Records a status that the provider reports for a text. Returns false when it is none of ours: no such text, or the
 * provider knows it by another id.
 */
export async function recordSmsStatus(
  services: Services,
  { message_id, provider_id, status, detail }: Extract<TelephonyEvent, { kind: "sms_status" }>,
  now: Date,
): Promise<boolean> {
  const found = await services.storage.get("messages", message_id);
  if (found?.channel !== "sms" || found.direction !== "outbound") return false;
  const known = found.phone?.provider_id ?? null;
  if (known !== null && known !== provider_id) return false;
  await unitOfWork(services, found.account_id, now, (work) =>
    changeTextStatus(work, message_id, { status, provider_id, detail }, now),
  );
  return true;
}
