import { z } from "zod";
import { fail } from "../catalogue/errors.ts";
import { IdInput } from "../catalogue/ids.ts";
import { limits } from "../catalogue/limits.ts";
import type { AccountContext } from "../kernel/context.ts";
import { appendEvents } from "../kernel/events/append.ts";
import { newDelivery } from "../kernel/events/deliveries.ts";
import { notFound } from "../kernel/gate.ts";
import { operation } from "../kernel/operation.ts";
import { pageOf } from "../kernel/page.ts";
import type { Work } from "../kernel/work.ts";
import { channels } from "../kernel/work.ts";
import type { EventRecord } from "../model/feed.ts";
import { CursorInput, iso, Limit, listOf } from "../model/fields.ts";
import { Delivery, type DeliveryRecord, type WebhookRecord } from "../model/webhooks.ts";
import type { StorageReader } from "../ports/storage.ts";
import { findWebhook } from "./find.ts";
import { withinInbox } from "./rules.ts";

const reads = ["webhook_read", "webhook_write"] as const;
const writes = ["webhook_write"] as const;

/** What was sent to a webhook, and sending to it by hand. */
export const deliveryOperations = {
  deliveries: operation({
    summary: "Lists a webhook's deliveries of the last 7 days, newest first.",
    scope: "filtered",
    allow: reads,
    input: z.object({
      webhook_id: IdInput,
      status: Delivery.shape.status.optional(),
      limit: Limit(limits.list_default, limits.list_max),
      cursor: CursorInput.optional(),
    }),
    output: listOf(Delivery),
    async run(ctx, { webhook_id, status, limit, cursor }) {
      const { id } = await findWebhook(ctx, ctx.storage, webhook_id);
      const filter = { webhook_id: id, ...(status === undefined ? {} : { status }) };
      const order = { by: "id", direction: "desc" } as const;
      return pageOf<DeliveryRecord>({
        filter: { list: "deliveries", ...filter },
        limit,
        cursor,
        read: (after, count) => {
          const where = after === undefined ? filter : { ...filter, id: { lt: after } };
          return ctx.storage.find("deliveries", { where, order, limit: count });
        },
        position: (delivery) => delivery.id,
      });
    },
  }),

  test: operation({
    summary: "Sends the webhook, and no other, an event of type webhook.test; answers its delivery.",
    scope: "filtered",
    allow: writes,
    input: z.object({ webhook_id: IdInput }),
    output: Delivery,
    run: (ctx, { webhook_id }) =>
      ctx.transaction(async (work) => {
        const webhook = await findEnabled(ctx, work, webhook_id);
        const [sole] = webhook.inbox_ids;
        const inbox_id = webhook.inbox_ids.length === 1 && sole !== undefined ? sole : null;
        const data = { webhook_id: webhook.id, url: webhook.url };
        const [event] = await appendEvents(work, ctx, [{ type: "webhook.test", inbox_id, data }]);
        work.wake(channels.events(ctx.account_id));
        return sendTo(ctx, work, webhook, event as EventRecord, false);
      }),
  }),

  redeliver: operation({
    summary: "Sends a delivery's event again, as a new delivery, which it answers.",
    scope: "filtered",
    allow: writes,
    input: z.object({ webhook_id: IdInput, delivery_id: IdInput }),
    output: Delivery,
    run: (ctx, { webhook_id, delivery_id }) =>
      ctx.transaction(async (work) => {
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

/** A key held to an inbox redelivers what is of its inbox, also when the webhook once saw more. */
function seenBy({ caller }: AccountContext, event: EventRecord): boolean {
  return withinInbox({ inbox_ids: event.inbox_id === null ? [] : [event.inbox_id] }, caller.inbox_id);
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

/** Stores a delivery of its own time: an old event sent again is kept for 7 days from now. */
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
