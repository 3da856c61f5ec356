import type { Services } from "../../kernel/context.ts";
import { endJob, postponeJob } from "../../kernel/jobs/job-lease.ts";
import type { EventRecord } from "../../model/feed.ts";
import type { JobRecord } from "../../model/jobs.ts";
import type { DeliveryRecord, WebhookRecord } from "../../model/webhooks.ts";
import type { StorageWriter } from "../../ports/storage.ts";
import type { WebhookResponse } from "../../ports/webhook-http.ts";
import { recordAttempt } from "./record-attempt.ts";
import { previousSecretActive } from "./rules.ts";
import { type Sender, senderOf } from "./sender.ts";
import { type SigningKeys, signatureHeaders } from "./signing.ts";

/** A delivery with its webhook and event. */
interface Outgoing {
  webhook: WebhookRecord;
  event: EventRecord;
  delivery: DeliveryRecord;
}

/**
 * Attempts a delivery once and records the result. All attempts have the same delivery id: if the process
 * dies before recording, it is sent again, and the receiver can recognise it by `x-svc-delivery`.
 */
export async function deliverWebhook(
  services: Services,
  job: JobRecord,
  resultIsWritten: () => void,
): Promise<void> {
  const sender = senderOf(services);
  const delivery = await sender.delivery(job.subject_id);
  if (delivery === undefined || delivery.status !== "pending") return endJob(services.storage, job);
  const [webhook, event] = await Promise.all([sender.webhook(delivery.webhook_id), sender.event(delivery)]);
  if (webhook === undefined) return giveUp(services, job, delivery, "the webhook was deleted");
  if (!webhook.enabled) return giveUp(services, job, delivery, "the webhook is disabled");
  if (event === undefined) return giveUp(services, job, delivery, "the event is no longer kept");

  // An account may have dozens of webhooks that each need a new connection: let fast deliveries pass between.
  if (!sender.slots.isFast(webhook.id)) await sender.yieldToEventLoop();
  const slot = await sender.slots.take(webhook);
  if (slot !== true) return postpone(services, job, slot);
  try {
    const response = await sendAndFreeSlot(services, sender, { webhook, event, delivery });
    await recordAttempt(services, { job, webhook, delivery, response, resultIsWritten }, sender.succeeded);
  } finally {
    sender.ended();
  }
}

/** Postpones a delivery that got no slot; this is not an attempt. */
async function postpone(services: Services, job: JobRecord, until: Date): Promise<void> {
  await postponeJob(services.storage, job, until);
  await services.queue.send(until);
}

async function sendAndFreeSlot(
  services: Services,
  sender: Sender,
  outgoing: Outgoing,
): Promise<WebhookResponse> {
  let response: WebhookResponse | undefined;
  try {
    response = await send(services, sender, outgoing);
    return response;
  } finally {
    sender.slots.free(outgoing.webhook.id, response?.duration_ms);
  }
}

async function send(
  services: Services,
  sender: Sender,
  { webhook, event, delivery }: Outgoing,
): Promise<WebhookResponse> {
  const now = services.clock.now();
  const body = sender.envelope(event);
  const custom =
    webhook.sealed_headers === null
      ? {}
      : (JSON.parse(services.seal.open(webhook.sealed_headers)) as Record<string, string>);
  const signed = signatureHeaders(keysOf(sender, webhook, now), {
    delivery_id: delivery.id,
    event_id: event.id,
    event_type: event.type,
    timestamp: Math.floor(now.getTime() / 1000),
    body,
  });
  return services.webhookHttp.post({
    url: webhook.url,
    headers: { ...custom, ...signed, "content-type": "application/json" },
    body,
  });
}

function keysOf(sender: Sender, webhook: WebhookRecord, now: Date): SigningKeys[] {
  const current = sender.keys(webhook.sealed_secret);
  if (!previousSecretActive(webhook, now)) return [current];
  return [current, sender.keys(webhook.sealed_previous_secret as string)];
}

/** Fails a delivery that could not be tried for so long. */
export async function giveUpDelivery(
  services: Services,
  job: JobRecord,
  reason: string,
): Promise<string | undefined> {
  const delivery = await services.storage.get("deliveries", job.subject_id);
  if (delivery === undefined) await endJob(services.storage, job);
  else await giveUp(services, job, delivery, reason);
  return delivery?.account_id;
}

/** Ends a delivery that can no longer be sent. This is neither an attempt nor a failure of the webhook. */
async function giveUp(
  services: Services,
  job: JobRecord,
  delivery: DeliveryRecord,
  reason: string,
): Promise<void> {
  await services.storage.transaction(async (tx: StorageWriter) => {
    await endJob(tx, job);
    await tx.update(
      "deliveries",
      { id: delivery.id },
      { status: "failed", last_error: reason, next_retry_at: null },
    );
  });
}
