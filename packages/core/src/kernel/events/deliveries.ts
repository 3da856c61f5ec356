import type { MakeId } from "../../catalogue/ids.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { EventRecord } from "../../model/feed.ts";
import type { DeliveryRecord, WebhookRecord } from "../../model/webhooks.ts";
import type { Services } from "../context.ts";

type Webhooks = readonly WebhookRecord[];

/** The webhooks of an account. */
export function webhooksOf(
  { storage, cachedRead }: Pick<Services, "storage" | "cachedRead">,
  account_id: string,
): Webhooks | Promise<Webhooks> {
  const read = () => storage.find("webhooks", { where: { account_id }, limit: LIMITS.webhooks_per_account });
  const webhooks = cachedRead<Webhooks>(`webhooks ${account_id}`, ["webhooks"], read);
  return webhooks instanceof Promise ? webhooks.then((found) => found ?? []) : webhooks;
}

/**
 * Whether a webhook subscribes to an event; an empty filter matches all (interface, "Subscription rules").
 */
export function wants(
  webhook: Pick<WebhookRecord, "enabled" | "events" | "inbox_ids">,
  event: Pick<EventRecord, "type" | "inbox_id">,
): boolean {
  if (!webhook.enabled) return false;
  if (webhook.events.length > 0 && !webhook.events.includes(event.type)) return false;
  return (
    webhook.inbox_ids.length === 0 || (event.inbox_id !== null && webhook.inbox_ids.includes(event.inbox_id))
  );
}

/** A pending delivery for every event and every webhook that subscribes to it. */
export function deliveriesFor(
  webhooks: readonly WebhookRecord[],
  events: readonly EventRecord[],
  makeId: MakeId,
): DeliveryRecord[] {
  if (webhooks.length === 0) return [];
  return events.flatMap((event) =>
    webhooks
      .filter((webhook) => wants(webhook, event))
      .map((webhook) => newDelivery(webhook.id, event, makeId)),
  );
}

/** A new delivery, not attempted yet. */
export function newDelivery(
  webhook_id: string,
  event: EventRecord,
  makeId: MakeId,
  is_redelivery = false,
): DeliveryRecord {
  return {
    id: makeId("whd"),
    account_id: event.account_id,
    webhook_id,
    event_id: event.id,
    event_sequence: event.sequence,
    event_type: event.type,
    status: "pending",
    attempts: 0,
    last_status_code: null,
    last_error: null,
    response_excerpt: null,
    duration_ms: null,
    next_retry_at: event.created_at,
    is_redelivery,
    created_at: event.created_at,
    last_attempt_at: null,
  };
}
