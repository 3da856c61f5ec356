import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { DeliveryId, WebhookId } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { reachesInbox } from "../../kernel/access/caller.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { appendEvents } from "../../kernel/events/append.ts";
import { newDelivery } from "../../kernel/events/deliveries.ts";
import { notFound } from "../../kernel/gate.ts";
import { answerInTransaction } from "../../kernel/idempotency.ts";
import { operation } from "../../kernel/operation.ts";
import { newestFirst } from "../../kernel/page.ts";
import type { Work } from "../../kernel/work.ts";
import { channels } from "../../kernel/work.ts";
import type { EventRecord } from "../../model/feed.ts";
import { CursorInput, created, iso, Limit, listOf } from "../../model/fields.ts";
import { Delivery, type DeliveryRecord, type WebhookRecord } from "../../model/webhooks.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { findWebhook } from "./find.ts";

const READ_PERMISSIONS = ["webhook_read", "webhook_write"] as const;
const WRITE_PERMISSIONS = ["webhook_write"] as const;

/** The operations on a webhook's deliveries. */
export const deliveryOperations = {
  deliveries: operation({
    summary: "Lists a webhook's deliveries of the last 7 days, newest first.",
    when: "Find out why your server didn't get an event, or didn't accept it.",
    example: { status: "failed" },
    scope: "filtered",
    effect: "read",
    pages: true,
    allow: READ_PERMISSIONS,
    input: z.object({
      webhook_id: WebhookId,
      status: Delivery.shape.status.optional().describe("Only deliveries with this status."),
      limit: Limit(LIMITS.list_default, LIMITS.list_max),
      cursor: CursorInput.optional(),
    }),
    output: listOf(Delivery),
    async run(ctx, { webhook_id, status, limit, cursor }) {
      const { id } = await findWebhook(ctx, ctx.storage, webhook_id);
      const where = { webhook_id: id, ...(status === undefined ? {} : { status }) };
      return newestFirst(ctx.storage, "deliveries", { where, limit, cursor });
    },
  }),

  test: operation({
    summary: "Sends an event of type webhook.test to this webhook only, and returns its delivery.",
    when: "Try whether your server gets and accepts events.",
    errors: ["webhook_disabled"],
    scope: "filtered",
    effect: "write",
    allow: WRITE_PERMISSIONS,
    idempotent: true,
    input: z.object({ webhook_id: WebhookId }),
    output: created(Delivery, "CreatedWebhookDelivery"),
    run: (ctx, { webhook_id }) =>
      answerInTransaction(ctx, async (work) => {
        const webhook = await findEnabled(ctx, work, webhook_id);
        const [sole] = webhook.inbox_ids;
        const inbox_id = webhook.inbox_ids.length === 1 && sole !== undefined ? sole : null;
        const data = { webhook_id: webhook.id, url: webhook.url };
        const [event] = await appendEvents(work, ctx, [{ type: "webhook.test", inbox_id, data }]);
        work.wake(channels.events(ctx.account_id));
        if (inbox_id !== null) work.wake(channels.events(inbox_id));
        return sendTo(ctx, work, webhook, event as EventRecord, false);
      }),
  }),

  redeliver: operation({
    summary: "Sends a delivery's event again and returns the new delivery.",
    when: "Get an event again that your server missed.",
    errors: ["webhook_disabled"],
    scope: "filtered",
    effect: "write",
    allow: WRITE_PERMISSIONS,
    idempotent: true,
    input: z.object({ webhook_id: WebhookId, delivery_id: DeliveryId }),
    output: created(Delivery, "CreatedWebhookDelivery"),
    run: (ctx, { webhook_id, delivery_id }) =>
      answerInTransaction(ctx, async (work) => {
        const webhook = await findEnabled(ctx, work, webhook_id);
        const { event_sequence } = await findDelivery(work, webhook, delivery_id);
        const where = { account_id: ctx.account_id, sequence: event_sequence };
        const [event] = await work.find("events", { where, limit: 1 });
        const unseen = event === undefined || !seenBy(ctx, event);
        if (unseen) throw fail("delivery_not_found", { message: "The delivery's event is no longer kept." });
        return sendTo(ctx, work, webhook, event, true);
      }),
  }),
};

/** A key limited to an inbox can redeliver only that inbox's events, even if the webhook once had more. */
function seenBy({ caller }: AccountContext, event: EventRecord): boolean {
  return reachesInbox(caller, event.inbox_id);
}

async function findEnabled(ctx: AccountContext, storage: StorageReader, id: string): Promise<WebhookRecord> {
  const webhook = await findWebhook(ctx, storage, id);
  if (!webhook.enabled) throw fail("webhook_disabled");
  return webhook;
}

async function findDelivery(
  storage: StorageReader,
  webhook: WebhookRecord,
  id: string,
): Promise<DeliveryRecord> {
  const delivery = await storage.get("deliveries", id);
  if (delivery?.webhook_id !== webhook.id) throw notFound("delivery_not_found", "whd", id);
  return delivery;
}

/** Stores a delivery created now, so that a redelivered old event is kept for 7 days from now. */
async function sendTo(
  ctx: AccountContext,
  work: Work,
  webhook: WebhookRecord,
  event: EventRecord,
  again: boolean,
): Promise<DeliveryRecord> {
  const created_at = iso(ctx.now);
  const delivery = {
    ...newDelivery(webhook.id, event, ctx.makeId, again),
    created_at,
    next_retry_at: created_at,
  };
  work.append("deliveries", [delivery]);
  work.job({ kind: "webhook.deliver", subject_id: delivery.id });
  return delivery;
}
