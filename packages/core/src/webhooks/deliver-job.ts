import type { Services } from "../kernel/context.ts";
import { endJob, postponeJob } from "../kernel/jobs/job-lease.ts";
import type { Event, EventRecord } from "../model/feed.ts";
import type { JobRecord } from "../model/jobs.ts";
import type { DeliveryRecord, WebhookRecord } from "../model/webhooks.ts";
import type { StorageWriter } from "../ports/storage.ts";
import type { WebhookResponse } from "../ports/webhook-http.ts";
import { recordAttempt } from "./record-attempt.ts";
import { previousSecretActive } from "./rules.ts";
import { type Sender, senderOf } from "./sender.ts";
import { type SigningKeys, signatureHeaders } from "./signing.ts";

/** What goes out, and where to. */
interface Outgoing {
  webhook: WebhookRecord;
  event: EventRecord;
  delivery: DeliveryRecord;
}

/**
 * Sends a delivery once and writes what came of it. The delivery's id is the same over all of its tries, also
 * when the process dies between the receiver's answer and our note of it: then it is sent again, and the
 * receiver knows it by `x-svc-delivery`.
 */
export async function deliverWebhook(services: Services, job: JobRecord): Promise<void> {
  const sender = senderOf(services);
  const delivery = await sender.delivery(job.subject_id);
  if (delivery === undefined || delivery.status !== "pending") return endJob(services.storage, job);
  const [webhook, event] = await Promise.all([sender.webhook(delivery.webhook_id), sender.event(delivery)]);
  if (webhook === undefined) return giveUp(services, job, delivery, "the webhook was deleted");
  if (!webhook.enabled) return giveUp(services, job, delivery, "the webhook is disabled");
  if (event === undefined) return giveUp(services, job, delivery, "the event is no longer kept");

  // An account may have dozens of webhooks that each cost a new connection: a delivery that is quick passes
  // between them.
  if (!sender.places.isFast(webhook.id)) await sender.turn();
  const place = await sender.places.take(webhook);
  if (place !== true) return putOff(services, job, place);
  try {
    const response = await sendFromPlace(services, sender, { webhook, event, delivery });
    await recordAttempt(services, { job, webhook, delivery, response }, sender.succeeded);
  } finally {
    sender.ended();
  }
}

/** Puts a delivery off that found no place; that is no try of it. */
async function putOff(services: Services, job: JobRecord, until: Date): Promise<void> {
  await postponeJob(services.storage, job, until);
  await services.queue.send(until);
}

/** Sends within the place that was taken, and gives it back. */
async function sendFromPlace(
  services: Services,
  sender: Sender,
  outgoing: Outgoing,
): Promise<WebhookResponse> {
  let response: WebhookResponse | undefined;
  try {
    response = await send(services, sender, outgoing);
    return response;
  } finally {
    sender.places.give(outgoing.webhook.id, response?.duration_ms);
  }
}

async function send(
  services: Services,
  sender: Sender,
  { webhook, event, delivery }: Outgoing,
): Promise<WebhookResponse> {
  const now = services.clock.now();
  // Its bytes are made once, for three signatures and the post.
  const body = Buffer.from(JSON.stringify(envelopeOf(event)));
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

/** The shown event, without the schema's work: what is stored was checked when it was written. */
function envelopeOf({ id, type, created_at, account_id, inbox_id, sequence, data }: EventRecord): Event {
  return { id, object: "event", type, schema_version: "1", created_at, account_id, inbox_id, sequence, data };
}

function keysOf(sender: Sender, webhook: WebhookRecord, now: Date): SigningKeys[] {
  const current = sender.keys(webhook.sealed_secret);
  if (!previousSecretActive(webhook, now)) return [current];
  return [current, sender.keys(webhook.sealed_previous_secret as string)];
}

/** Ends a delivery that can't be sent any more; it counts neither as a try nor against the webhook. */
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
