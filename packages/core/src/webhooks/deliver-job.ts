import type { Parts } from "../context.ts";
import type { Event, EventRecord } from "../feed/schema.ts";
import { endJob, postponeJob } from "../job-lease.ts";
import type { JobRecord } from "../jobs.ts";
import type { StorageWriter } from "../ports/storage.ts";
import type { WebhookResponse } from "../ports/webhook-http.ts";
import { iso } from "../schema.ts";
import { unitOfWork } from "../unit-of-work.ts";
import { disabling, outcomeOf, previousSecretActive, successChange } from "./rules.ts";
import type { DeliveryRecord, WebhookRecord } from "./schema.ts";
import { type Sender, senderOf } from "./sender.ts";
import { showWebhook } from "./show.ts";
import { type SigningKeys, signatureHeaders } from "./signing.ts";

/** What is kept of an answer's body, and of an error's words. */
const excerptChars = 1000;
const errorChars = 500;

/**
 * Sends a delivery once and writes what came of it. The delivery's id is the same over all of its tries, also when the process dies
 * between the receiver's answer and our note of it: then it is sent again, and the receiver knows it by `x-svc-delivery`.
 */
export async function deliverWebhook(parts: Parts, job: JobRecord): Promise<void> {
  const sender = senderOf(parts);
  const delivery = await sender.delivery(job.subject_id);
  if (delivery === undefined || delivery.status !== "pending") return endJob(parts.storage, job);
  const [webhook, event] = await Promise.all([sender.webhook(delivery.webhook_id), sender.event(delivery)]);
  if (webhook === undefined) return giveUp(parts, job, delivery, "the webhook was deleted");
  if (!webhook.enabled) return giveUp(parts, job, delivery, "the webhook is disabled");
  if (event === undefined) return giveUp(parts, job, delivery, "the event is no longer kept");

  const place = await sender.places.take(webhook);
  if (place !== true) return putOff(parts, job, place);
  let held_ms = 0;
  let response: WebhookResponse;
  try {
    response = await send(parts, sender, webhook, event, delivery);
    held_ms = response.duration_ms;
  } finally {
    sender.places.give(webhook.id, held_ms);
  }
  await note(parts, job, webhook, delivery, response);
}

/** Puts a delivery off that found no place; that is no try of it. */
async function putOff(parts: Parts, job: JobRecord, until: Date): Promise<void> {
  await postponeJob(parts.storage, job, until);
  await parts.queue.send(until);
}

function send(
  parts: Parts,
  sender: Sender,
  webhook: WebhookRecord,
  event: EventRecord,
  delivery: DeliveryRecord,
): Promise<WebhookResponse> {
  const now = parts.clock.now();
  const body = JSON.stringify(envelopeOf(event));
  const custom =
    webhook.sealed_headers === null ? {} : (JSON.parse(parts.seal.open(webhook.sealed_headers)) as Record<string, string>);
  const signed = signatureHeaders(keysOf(sender, webhook, now), {
    delivery_id: delivery.id,
    event_id: event.id,
    event_type: event.type,
    timestamp: Math.floor(now.getTime() / 1000),
    body,
  });
  return parts.webhookHttp.post({
    url: webhook.url,
    headers: { ...custom, ...signed, "content-type": "application/json" },
    body,
  });
}

/** The shown event, without the schema's work: what is stored was checked when it was written. */
function envelopeOf({ id, type, created_at, account_id, inbox_id, sequence, data }: EventRecord): Event {
  return { id, object: "event", type, schema_version: "1", created_at, account_id, inbox_id, sequence, data };
}

function keysOf(sender: Sender, webhook: WebhookRecord, now: Date): SigningKeys[] {
  const current = sender.keys(webhook.sealed_secret);
  if (!previousSecretActive(webhook, now)) return [current];
  return [current, sender.keys(webhook.sealed_previous_secret as string)];
}

/** Writes the result of a try with its consequences, all under the job's lease. */
async function note(
  parts: Parts,
  job: JobRecord,
  webhook: WebhookRecord,
  delivery: DeliveryRecord,
  response: WebhookResponse,
): Promise<void> {
  const now = parts.clock.now();
  const attempts = delivery.attempts + 1;
  const policy = { retries: parts.options.webhook_retries, profile: parts.options.webhook_profile };
  const outcome = outcomeOf(response, attempts, policy, now);
  const tried = {
    attempts,
    last_status_code: response.status,
    last_error: response.error?.slice(0, errorChars) ?? null,
    response_excerpt: response.excerpt.slice(0, excerptChars),
    duration_ms: Math.round(response.duration_ms),
    last_attempt_at: iso(now),
  };
  const lastTry = { last_delivery_status: response.status, last_delivery_at: iso(now) };

  if (outcome.status === "succeeded") {
    const change = successChange(webhook, response.status, now);
    return parts.storage.transaction(async (tx) => {
      await endJob(tx, job);
      await tx.update("deliveries", { id: delivery.id }, { ...tried, status: "succeeded", next_retry_at: null });
      if (change !== undefined) await tx.update("webhooks", { id: webhook.id }, change);
    });
  }
  if (outcome.status === "retry") {
    await parts.storage.transaction(async (tx) => {
      await postponeJob(tx, job, outcome.at);
      await tx.update("deliveries", { id: delivery.id }, { ...tried, next_retry_at: iso(outcome.at) });
      await tx.update("webhooks", { id: webhook.id }, lastTry);
    });
    return parts.queue.send(outcome.at);
  }
  await unitOfWork(parts, delivery.account_id, now, async (work) => {
    await endJob(work, job);
    await work.update("deliveries", { id: delivery.id }, { ...tried, status: "failed", next_retry_at: null });
    const [counted] = await work.update("webhooks", { id: webhook.id }, { ...lastTry, consecutive_failures: { add: 1 } });
    const off = counted && disabling(counted, outcome.disable, now);
    if (counted === undefined || off === undefined) return;
    await work.update("webhooks", { id: webhook.id }, off);
    const { id, url, consecutive_failures, disabled_at, disabled_reason } = showWebhook({ ...counted, ...off }, now);
    const data = { webhook_id: id, url, consecutive_failures, disabled_at, disabled_reason };
    work.publish({
      type: "webhook.disabled",
      inbox_id: counted.inbox_ids.length === 1 ? (counted.inbox_ids[0] ?? null) : null,
      data,
    });
  });
}

/** Ends a delivery that can't be sent any more; it counts neither as a try nor against the webhook. */
async function giveUp(parts: Parts, job: JobRecord, delivery: DeliveryRecord, reason: string): Promise<void> {
  await parts.storage.transaction(async (tx: StorageWriter) => {
    await endJob(tx, job);
    await tx.update("deliveries", { id: delivery.id }, { status: "failed", last_error: reason, next_retry_at: null });
  });
}
