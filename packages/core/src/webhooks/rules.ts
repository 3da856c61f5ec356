import { limits } from "../catalogue/limits.ts";
import { iso } from "../model/fields.ts";
import type { WebhookRecord } from "../model/webhooks.ts";
import type { WebhookResponse } from "../ports/webhook-http.ts";

/**
 * How a deployment retries: seconds before each further try, and what a final answer means (decisions,
 * section 9).
 */
export interface RetryPolicy {
  retries: readonly number[];
  profile: "interface" | "durable";
}

/** What an attempt comes to. `disable` says that this answer alone turns the webhook off. */
export type Outcome =
  | { status: "succeeded" }
  | { status: "retry"; at: Date }
  | { status: "failed"; disable: boolean };

const tooManyRequests = 429;
const gone = 410;
const unavailable = 503;

/**
 * Decides what follows an attempt; `attempt` counts from 1. 2xx is a success. 5xx and network errors are
 * retried by the schedule, a 503's Retry-After delays its retry by at most an hour. Profile `durable` retries
 * 429 too and ends a webhook at 410.
 */
export function outcomeOf(
  answer: Pick<WebhookResponse, "status" | "retry_after_seconds">,
  attempt: number,
  policy: RetryPolicy,
  now: Date,
): Outcome {
  const { status, retry_after_seconds } = answer;
  const durable = policy.profile === "durable";
  if (status !== null && status >= 200 && status < 300) return { status: "succeeded" };
  if (durable && status === gone) return { status: "failed", disable: true };

  const waits = status === unavailable || (durable && status === tooManyRequests);
  const retryable = status === null || status >= 500 || (durable && status === tooManyRequests);
  const pause = policy.retries[attempt - 1];
  if (!retryable || pause === undefined) return { status: "failed", disable: false };
  const asked = waits ? Math.min((retry_after_seconds ?? 0) * 1000, limits.webhook_retry_after_max_ms) : 0;
  return { status: "retry", at: new Date(now.getTime() + Math.max(pause * 1000, asked)) };
}

/**
 * Turns a webhook off when its final failures in a row have reached 20, or when one answer was enough;
 * undefined: it stays as it is.
 */
export function disabling(
  webhook: Pick<WebhookRecord, "enabled" | "consecutive_failures">,
  disable: boolean,
  now: Date,
): Partial<WebhookRecord> | undefined {
  if (!webhook.enabled) return undefined;
  if (!disable && webhook.consecutive_failures < limits.webhook_disable_at) return undefined;
  return { enabled: false, disabled_at: iso(now), disabled_reason: "consecutive_failures" };
}

/**
 * What a PATCH of `enabled` writes: a webhook that is turned on again starts to count from 0 (interface,
 * "Webhook" states).
 */
export function enabling(
  webhook: Pick<WebhookRecord, "enabled">,
  enabled: boolean | undefined,
  now: Date,
): Partial<WebhookRecord> {
  if (enabled === undefined || enabled === webhook.enabled) return {};
  if (enabled) return { enabled, disabled_at: null, disabled_reason: null, consecutive_failures: 0 };
  return { enabled, disabled_at: iso(now), disabled_reason: "manual" };
}

/** How long a webhook's stored last attempt may lag behind while nothing but its time changes. */
const lastDeliveryLagMs = 1000;

/**
 * What a success writes to its webhook, or undefined when the row can stay: a busy webhook's row would
 * otherwise be what all its deliveries wait for. So `last_delivery_at` is exact to a second.
 */
export function successChange(
  webhook: Pick<WebhookRecord, "consecutive_failures" | "last_delivery_status" | "last_delivery_at">,
  status: number | null,
  now: Date,
): Partial<WebhookRecord> | undefined {
  const last =
    webhook.last_delivery_at === null ? Number.NEGATIVE_INFINITY : Date.parse(webhook.last_delivery_at);
  const told =
    webhook.consecutive_failures === 0 &&
    webhook.last_delivery_status === status &&
    now.getTime() - last < lastDeliveryLagMs;
  return told
    ? undefined
    : { consecutive_failures: 0, last_delivery_status: status, last_delivery_at: iso(now) };
}

/**
 * A new secret takes over; the one before it signs beside it for 24 hours, and one before that is forgotten.
 */
export function rotation(
  webhook: Pick<WebhookRecord, "sealed_secret">,
  next: { sealed_secret: string; secret_hint: string },
  now: Date,
): Pick<
  WebhookRecord,
  "sealed_secret" | "secret_hint" | "sealed_previous_secret" | "previous_secret_expires_at"
> {
  return {
    ...next,
    sealed_previous_secret: webhook.sealed_secret,
    previous_secret_expires_at: iso(new Date(now.getTime() + limits.webhook_secret_overlap_ms)),
  };
}

/** Whether the secret before the current one still signs. */
export function previousSecretActive(
  webhook: Pick<WebhookRecord, "sealed_previous_secret" | "previous_secret_expires_at">,
  now: Date,
): boolean {
  return (
    webhook.sealed_previous_secret !== null &&
    webhook.previous_secret_expires_at !== null &&
    webhook.previous_secret_expires_at > iso(now)
  );
}

const hintChars = 4;
const longSecret = 24;

/**
 * The start of a secret, for people to tell secrets apart: four characters of a long one, none of a short
 * one.
 */
export function secretHint(secret: string): string {
  const prefix = secret.startsWith("whsec_") ? "whsec_" : "";
  const rest = secret.slice(prefix.length);
  return `${prefix}${rest.length < longSecret ? "" : rest.slice(0, hintChars)}…`;
}

const headerName = /^(?:authorization|x-[a-z0-9!#$%&'*+.^_`|~-]{1,100})$/i;
const ownHeader = /^x-svc-/i;
/** Latin-1 without control characters: nothing in a value can begin another header. */
const headerValue = /^[\t\x20-\x7e\xa0-\xff]*$/;

/**
 * The first custom header that is not allowed, or undefined: Authorization or X-*, at most 5, not the
 * service's own (interface, "Webhooks").
 */
export function refusedHeader(headers: Record<string, string>): string | undefined {
  const entries = Object.entries(headers);
  const seen = new Set<string>();
  for (const [name, value] of entries) {
    const repeated = seen.has(name.toLowerCase());
    if (
      repeated ||
      !headerName.test(name) ||
      ownHeader.test(name) ||
      value.length > limits.webhook_header_chars ||
      !headerValue.test(value)
    )
      return name;
    seen.add(name.toLowerCase());
  }
  return entries.length > limits.webhook_headers ? entries[limits.webhook_headers]?.[0] : undefined;
}

/**
 * Whether all that a webhook sees is of one inbox: only then may a key that is held to that inbox know of it.
 */
export function withinInbox(webhook: Pick<WebhookRecord, "inbox_ids">, inbox_id: string | null): boolean {
  return inbox_id === null || (webhook.inbox_ids.length === 1 && webhook.inbox_ids[0] === inbox_id);
}
