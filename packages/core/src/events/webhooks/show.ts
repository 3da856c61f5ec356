import type { Webhook, WebhookRecord } from "../../model/webhooks.ts";
import { previousSecretActive } from "./rules.ts";

const REDACTED = "[redacted]";

/**
 * A webhook as shown to callers. `secret` is set only when it was just created or changed; later it is
 * shortened.
 */
export function showWebhook(record: WebhookRecord, now: Date, secret?: string): Webhook {
  const {
    id,
    url,
    events,
    inbox_ids,
    client_id,
    enabled,
    disabled_at,
    disabled_reason,
    consecutive_failures,
  } = record;
  return {
    object: "webhook",
    id,
    url,
    events,
    secret: secret ?? record.secret_hint,
    inbox_id: inbox_ids.length === 1 ? (inbox_ids[0] ?? null) : null,
    inbox_ids,
    headers: Object.fromEntries(record.header_names.map((name) => [name, REDACTED])),
    client_id,
    enabled,
    disabled_at,
    disabled_reason,
    consecutive_failures,
    last_delivery_status: record.last_delivery_status,
    last_delivery_at: record.last_delivery_at,
    previous_secret_expires_at: record.previous_secret_expires_at,
    previous_secret_active: previousSecretActive(record, now),
    idempotent: false,
    created_at: record.created_at,
  };
}
