import { LIMITS } from "../../catalogue/limits.ts";
import { iso } from "../../model/fields.ts";
import type { WebhookRecord } from "../../model/webhooks.ts";
import type { WebhookResponse } from "../../ports/webhook-http.ts";

/**
 * A deployment's retry policy: seconds before each retry, and which answers are final.
 */
export interface RetryPolicy {
  retries: readonly number[];
  profile: "interface" | "durable";
}

/** The outcome of an attempt. `disable`: this answer alone disables the webhook. */
export type Outcome =
  | { status: "succeeded" }
  | { status: "retry"; at: Date }
  | { status: "failed"; disable: boolean };

const TOO_MANY_REQUESTS = 429;
const GONE = 410;
const SERVICE_UNAVAILABLE = 503;

/**
 * Decides the outcome of an attempt; `attempt` counts from 1. 2xx succeeds. 5xx and network errors are
 * retried on schedule; a 503's Retry-After delays the retry by at most an hour. 410 disables the webhook. The
 * `durable` profile also retries 429.
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
  if (status === GONE) return { status: "failed", disable: true };

  const waits = status === SERVICE_UNAVAILABLE || (durable && status === TOO_MANY_REQUESTS);
  const retryable = status === null || status >= 500 || (durable && status === TOO_MANY_REQUESTS);
  const pause = policy.retries[attempt - 1];
  if (!retryable || pause === undefined) return { status: "failed", disable: false };
  const asked = waits ? Math.min((retry_after_seconds ?? 0) * 1000, LIMITS.webhook_retry_after_max_ms) : 0;
  return { status: "retry", at: new Date(now.getTime() + Math.max(pause * 1000, asked)) };
}

/**
 * Disables a webhook after 20 failed deliveries in a row, or at once with `disable`; undefined for no change.
 */
export function disabling(
  webhook: Pick<WebhookRecord, "enabled" | "consecutive_failures">,
  disable: boolean,
  now: Date,
): Partial<WebhookRecord> | undefined {
  if (!webhook.enabled) return undefined;
  if (!disable && webhook.consecutive_failures < LIMITS.webhook_disable_at) return undefined;
  return { enabled: false, disabled_at: iso(now), disabled_reason: "consecutive_failures" };
}

/**
 * The change for a PATCH of `enabled`: a re-enabled webhook counts failures from 0 (interface, "Webhook"
 * states).
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

/** The maximum age of a webhook's `last_delivery_at` while nothing else changes. */
const LAST_DELIVERY_PRECISION_MS = 1000;

/**
 * The change of a webhook after a success; undefined when its row needs no update, so that deliveries of a
 * busy webhook don't contend for the row. `last_delivery_at` is accurate to a second.
 */
export function successChange(
  webhook: Pick<WebhookRecord, "consecutive_failures" | "last_delivery_status" | "last_delivery_at">,
  status: number | null,
  now: Date,
): Partial<WebhookRecord> | undefined {
  const last =
    webhook.last_delivery_at === null ? Number.NEGATIVE_INFINITY : Date.parse(webhook.last_delivery_at);
  const isUpToDate =
    webhook.consecutive_failures === 0 &&
    webhook.last_delivery_status === status &&
    now.getTime() - last < LAST_DELIVERY_PRECISION_MS;
  return isUpToDate
    ? undefined
    : { consecutive_failures: 0, last_delivery_status: status, last_delivery_at: iso(now) };
}

/** The change for a new secret: the previous one also signs for 24 hours, an older one is dropped. */
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
    previous_secret_expires_at: iso(new Date(now.getTime() + LIMITS.webhook_secret_overlap_ms)),
  };
}

/** Whether the previous secret still signs. */
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

const HINT_CHARS = 4;
const LONG_SECRET_CHARS = 24;

/** A hint to tell secrets apart: the first four characters of a long secret, none of a short one. */
export function secretHint(secret: string): string {
  const prefix = secret.startsWith("whsec_") ? "whsec_" : "";
  const rest = secret.slice(prefix.length);
  return `${prefix}${rest.length < LONG_SECRET_CHARS ? "" : rest.slice(0, HINT_CHARS)}…`;
}

const HEADER_NAME = /^(?:authorization|x-[a-z0-9!#$%&'*+.^_`|~-]{1,100})$/i;
const OWN_HEADER = /^x-svc-/i;
/** Latin-1 without control characters, so that a value can't start another header. */
const HEADER_VALUE = /^[\t\x20-\x7e\xa0-\xff]*$/;

/**
 * The first custom header that is not allowed. Allowed: Authorization and X-*, except the service's own, at
 * most 5 (interface, "Webhooks").
 */
export function refusedHeader(headers: Record<string, string>): string | undefined {
  const entries = Object.entries(headers);
  const seen = new Set<string>();
  for (const [name, value] of entries) {
    const repeated = seen.has(name.toLowerCase());
    if (
      repeated ||
      !HEADER_NAME.test(name) ||
      OWN_HEADER.test(name) ||
      value.length > LIMITS.webhook_header_chars ||
      !HEADER_VALUE.test(value)
    )
      return name;
    seen.add(name.toLowerCase());
  }
  return entries.length > LIMITS.webhook_headers ? entries[LIMITS.webhook_headers]?.[0] : undefined;
}

/**
 * Whether a webhook gets only events of inboxes that the caller may access; only then may the caller see it.
 */
export function isWithinReach(
  webhook: Pick<WebhookRecord, "inbox_ids">,
  inbox_ids: readonly string[] | null,
): boolean {
  if (inbox_ids === null) return true;
  return webhook.inbox_ids.length > 0 && webhook.inbox_ids.every((id) => inbox_ids.includes(id));
}

/**
 * The inboxes from which a change of a webhook would post something elsewhere, or what it didn't before; an empty list
 * means all, and undefined none: to post less, or with fewer headers, is no way out.
 */
export function newlyReached(
  before: Pick<WebhookRecord, "url" | "inbox_ids">,
  asked: { url: string | undefined; inbox_ids: readonly string[] | undefined; headers: "same" | "other" },
): readonly string[] | undefined {
  const { url = before.url, inbox_ids = before.inbox_ids, headers } = asked;
  if (url !== before.url || headers === "other") return inbox_ids;
  if (before.inbox_ids.length === 0) return undefined;
  if (inbox_ids.length === 0) return [];
  const more = inbox_ids.filter((id) => !before.inbox_ids.includes(id));
  return more.length === 0 ? undefined : more;
}
