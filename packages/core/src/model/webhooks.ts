import { z } from "zod";
import { EVENT_TYPES } from "../catalogue/events.ts";
import { Timestamp } from "./fields.ts";

/** A webhook as shown: the secret shortened, header values redacted (interface, "Webhook"). */
export const Webhook = z.object({
  object: z.literal("webhook").default("webhook"),
  id: z.string().describe("The webhook's id."),
  url: z.string().describe("Where events are posted."),
  events: z.array(z.enum(EVENT_TYPES)).describe("The event types that it gets; an empty list means all."),
  secret: z
    .string()
    .describe("The secret that signs its deliveries: whole in the answer that made it, shortened later."),
  inbox_id: z.string().nullable().describe("The only inbox of the filter; null if it has none or several."),
  inbox_ids: z
    .array(z.string())
    .describe("The inboxes whose events it gets, at most 10; an empty list means all."),
  headers: z
    .record(z.string(), z.string())
    .describe("The names of its own headers, with their values redacted."),
  client_id: z.string().nullable().describe("The caller's own id for it; null without one."),
  enabled: z.boolean().describe("Whether events are delivered."),
  disabled_at: Timestamp.nullable().describe("When it was disabled; null while it is enabled."),
  disabled_reason: z
    .enum(["manual", "consecutive_failures"])
    .nullable()
    .describe("Whether a caller or 20 failures in a row disabled it; null while it is enabled."),
  consecutive_failures: z.int().describe("How many deliveries failed in a row; any success sets it to 0."),
  last_delivery_status: z
    .int()
    .nullable()
    .describe("The HTTP status of the latest attempt; null before the first and when there was no answer."),
  last_delivery_at: Timestamp.nullable().describe("When the latest attempt was made; null before the first."),
  previous_secret_expires_at: Timestamp.nullable().describe(
    "Until when the previous secret signs too; null without one.",
  ),
  previous_secret_active: z.boolean().describe("Whether the previous secret still signs."),
  idempotent: z
    .boolean()
    .default(false)
    .describe("Whether this answer repeats an earlier create with the same client_id."),
  created_at: Timestamp.describe("When it was created (ISO 8601, UTC)."),
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
  account_id: z.string().describe("The account that it belongs to."),
  sealed_secret: z.string().describe("The secret, encrypted."),
  secret_hint: z
    .string()
    .describe("The first characters of the secret, so that people can tell secrets apart."),
  sealed_previous_secret: z
    .string()
    .nullable()
    .describe("The secret before the rotation, encrypted; null without one."),
  header_names: z.array(z.string()).describe("The names of its own headers."),
  sealed_headers: z
    .string()
    .nullable()
    .describe("Those headers with their values, encrypted; null without any."),
});
export type WebhookRecord = z.infer<typeof WebhookRecord>;

/** The delivery of one event to one webhook. Kept for 7 days. */
export const Delivery = z.object({
  object: z.literal("webhook_delivery").default("webhook_delivery"),
  id: z.string().describe("The delivery's id, as in the header x-svc-delivery."),
  webhook_id: z.string().describe("The webhook that it goes to."),
  event_id: z.string().describe("The event that it carries."),
  event_type: z.string().describe("That event's type."),
  event_sequence: z
    .int()
    .describe("That event's place in the feed: a list of events after one less begins with it."),
  status: z
    .enum(["pending", "succeeded", "failed"])
    .describe("Whether it is still to be tried, succeeded or failed for good."),
  attempts: z.int().describe("How often it was tried."),
  last_status_code: z
    .int()
    .nullable()
    .describe("The HTTP status of the latest attempt; null if there was no answer."),
  last_error: z.string().nullable().describe("Why the latest attempt failed; null if it didn't."),
  response_excerpt: z
    .string()
    .nullable()
    .describe("The beginning of the latest answer's body; null without one."),
  duration_ms: z
    .int()
    .nullable()
    .describe("How long the latest attempt took, in milliseconds; null before the first."),
  next_retry_at: Timestamp.nullable().describe("When it is tried again; null when it isn't."),
  is_redelivery: z.boolean().describe("Whether a caller asked for the event to be sent again."),
  created_at: Timestamp.describe("When it was created (ISO 8601, UTC)."),
  last_attempt_at: Timestamp.nullable().describe("When the latest attempt was made; null before the first."),
});
export type Delivery = z.infer<typeof Delivery>;

/** A delivery as stored; it references its event by account and sequence. */
export const DeliveryRecord = Delivery.omit({ object: true }).extend({
  account_id: z.string().describe("The account that it belongs to."),
});
export type DeliveryRecord = z.infer<typeof DeliveryRecord>;
