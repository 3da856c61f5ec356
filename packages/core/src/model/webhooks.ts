import { z } from "zod";
import { EVENT_TYPES } from "../catalogue/events.ts";
import { Timestamp } from "./fields.ts";

/** A webhook as shown: the secret shortened, header values redacted (interface, "Webhook"). */
export const Webhook = z.object({
  object: z.literal("webhook").default("webhook"),
  id: z.string(),
  url: z.string(),
  events: z.array(z.enum(EVENT_TYPES)),
  secret: z.string(),
  /** The only inbox of the filter; null if it has none or several. */
  inbox_id: z.string().nullable(),
  inbox_ids: z.array(z.string()),
  headers: z.record(z.string(), z.string()),
  client_id: z.string().nullable(),
  enabled: z.boolean(),
  disabled_at: Timestamp.nullable(),
  disabled_reason: z.enum(["manual", "consecutive_failures"]).nullable(),
  consecutive_failures: z.int(),
  last_delivery_status: z.int().nullable(),
  last_delivery_at: Timestamp.nullable(),
  previous_secret_expires_at: Timestamp.nullable(),
  previous_secret_active: z.boolean(),
  idempotent: z.boolean().default(false),
  created_at: Timestamp,
});
export type Webhook = z.infer<typeof Webhook>;

/** A webhook as stored; secrets and header values are encrypted. */
export const WebhookRecord = Webhook.omit({
  object: true,
  idempotent: true,
  secret: true,
  inbox_id: true,
  headers: true,
  previous_secret_active: true,
}).extend({
  account_id: z.string(),
  sealed_secret: z.string(),
  /** The first characters, so that people can tell secrets apart. */
  secret_hint: z.string(),
  sealed_previous_secret: z.string().nullable(),
  header_names: z.array(z.string()),
  sealed_headers: z.string().nullable(),
});
export type WebhookRecord = z.infer<typeof WebhookRecord>;

/** The delivery of one event to one webhook (decisions, section 9). Kept for 7 days. */
export const Delivery = z.object({
  object: z.literal("webhook_delivery").default("webhook_delivery"),
  id: z.string(),
  webhook_id: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  status: z.enum(["pending", "succeeded", "failed"]),
  attempts: z.int(),
  last_status_code: z.int().nullable(),
  last_error: z.string().nullable(),
  response_excerpt: z.string().nullable(),
  duration_ms: z.int().nullable(),
  next_retry_at: Timestamp.nullable(),
  is_redelivery: z.boolean(),
  created_at: Timestamp,
  last_attempt_at: Timestamp.nullable(),
});
export type Delivery = z.infer<typeof Delivery>;

/** A delivery as stored; it references its event by account and sequence. */
export const DeliveryRecord = Delivery.omit({ object: true }).extend({
  account_id: z.string(),
  event_sequence: z.int(),
});
export type DeliveryRecord = z.infer<typeof DeliveryRecord>;
