import { z } from "zod";
import { fail } from "../catalogue/errors.ts";
import { eventTypes } from "../catalogue/events.ts";
import { IdInput } from "../catalogue/ids.ts";
import { limits } from "../catalogue/limits.ts";
import type { AccountContext } from "../kernel/context.ts";
import { operation } from "../kernel/operation.ts";
import { pageOf } from "../kernel/page.ts";
import { newWebhookSecret, sameSecret } from "../kernel/secrets.ts";
import { ClientId, CursorInput, iso, Limit, listOf } from "../model/fields.ts";
import { Webhook, type WebhookRecord } from "../model/webhooks.ts";
import { deliveryOperations } from "./delivery-operations.ts";
import { findWebhook, inboxesOf, visible } from "./find.ts";
import { enabling, refusedHeader, rotation, secretHint } from "./rules.ts";
import { showWebhook } from "./show.ts";

const reads = ["webhook_read", "webhook_write"] as const;
const writes = ["webhook_write"] as const;
const urlChars = 2048;
const secretChars = 512;

const Url = z.string().max(urlChars, { error: "invalid_webhook_url" });
const EventTypes = z
  .array(z.enum(eventTypes, { error: "invalid_event_type" }))
  .max(100)
  .transform((types) => [...new Set(types)]);
const Secret = z.string().min(1).max(secretChars);
const InboxIds = z.array(IdInput).max(limits.webhook_inboxes, { error: "too_many_inboxes" });
const Headers = z
  .record(z.string(), z.string({ error: "invalid_webhook_header" }))
  .superRefine((headers, check) => {
    const name = refusedHeader(headers);
    if (name !== undefined)
      check.addIssue({ code: "custom", message: "invalid_webhook_header", path: [name] });
  });

/** What a caller can do with webhooks (interface, "Webhooks"; decisions, section 9). */
export const webhooks = {
  ...deliveryOperations,

  /** Lists the webhooks, newest first; a key held to an inbox sees those that see nothing else. */
  list: operation({
    summary: "Lists the webhooks, newest first; secrets are cut and header values redacted.",
    scope: "filtered",
    allow: reads,
    input: z.object({ limit: Limit(limits.list_default, limits.list_max), cursor: CursorInput.optional() }),
    output: listOf(Webhook),
    async run(ctx, { limit, cursor }) {
      const page = await pageOf<WebhookRecord>({
        filter: { list: "webhooks", account_id: ctx.account_id, inbox_id: ctx.caller.inbox_id },
        limit,
        cursor,
        read: async (after, count) => {
          const where =
            after === undefined
              ? { account_id: ctx.account_id }
              : { account_id: ctx.account_id, id: { lt: after } };
          // An account has at most 50 of them, so what a scoped key may not see is left out here rather than
          // by an index.
          const all = await ctx.storage.find("webhooks", {
            where,
            order: { by: "id", direction: "desc" },
            limit: limits.webhooks_per_account,
          });
          return all.filter((webhook) => visible(ctx, webhook)).slice(0, count);
        },
        position: ({ id }) => id,
      });
      return { ...page, data: page.data.map((webhook) => showWebhook(webhook, ctx.now)) };
    },
  }),

  /** Adds a webhook. Its secret is in this answer and in no other. */
  create: operation({
    summary: "Adds a webhook; the answer holds its secret, once.",
    scope: "filtered",
    allow: writes,
    input: z.object({
      url: Url,
      events: EventTypes.default([]),
      secret: Secret.optional(),
      inbox_id: IdInput.nullable().optional(),
      inbox_ids: InboxIds.optional(),
      headers: Headers.default({}),
      client_id: ClientId.optional(),
    }),
    output: Webhook,
    async replay(ctx, { client_id }) {
      if (client_id === undefined) return undefined;
      const [first] = await ctx.storage.find("webhooks", {
        where: { account_id: ctx.account_id, client_id },
        limit: 1,
      });
      return first && shownAgain(ctx, first);
    },
    async run(ctx, input) {
      const named = await inboxesOf(ctx, input);
      checkUrl(ctx, input.url);
      const secret = input.secret ?? newWebhookSecret();
      const record: WebhookRecord = {
        id: ctx.makeId("wh"),
        account_id: ctx.account_id,
        url: input.url,
        events: input.events,
        inbox_ids: ctx.caller.inbox_id === null ? (named ?? []) : [ctx.caller.inbox_id],
        ...sealedHeaders(ctx, input.headers),
        ...sealedSecret(ctx, secret),
        sealed_previous_secret: null,
        previous_secret_expires_at: null,
        client_id: input.client_id ?? null,
        enabled: true,
        disabled_at: null,
        disabled_reason: null,
        consecutive_failures: 0,
        last_delivery_status: null,
        last_delivery_at: null,
        created_at: iso(ctx.now),
      };
      return ctx.transaction(async (work) => {
        const { record: stored, inserted } = await work.insert("webhooks", record);
        if (!inserted) return { ...shownAgain(ctx, stored), idempotent: true };
        const count = await work.count(
          "webhooks",
          { account_id: ctx.account_id },
          limits.webhooks_per_account + 1,
        );
        if (count > limits.webhooks_per_account) throw fail("webhook_limit");
        return showWebhook(stored, ctx.now, secret);
      });
    },
  }),

  /** One webhook. */
  get: operation({
    summary: "One webhook; its secret is cut.",
    scope: "filtered",
    allow: reads,
    input: z.object({ webhook_id: IdInput }),
    output: Webhook,
    async run(ctx, { webhook_id }) {
      return showWebhook(await findWebhook(ctx, ctx.storage, webhook_id), ctx.now);
    },
  }),

  /** Changes what is named. A different secret takes over, and the old one signs beside it for 24 hours. */
  update: operation({
    summary: "Changes a webhook; a different secret starts 24 hours in which both sign.",
    scope: "filtered",
    allow: writes,
    input: z.object({
      webhook_id: IdInput,
      url: Url.optional(),
      events: EventTypes.optional(),
      secret: Secret.optional(),
      inbox_id: IdInput.nullable().optional(),
      inbox_ids: InboxIds.optional(),
      headers: Headers.nullable().optional(),
      enabled: z.boolean().optional(),
    }),
    output: Webhook,
    async run(ctx, { webhook_id, url, events, secret, headers, enabled, ...filter }) {
      const inbox_ids = await inboxesOf(ctx, filter);
      if (inbox_ids?.length === 0 && ctx.caller.inbox_id !== null) {
        throw fail("permission_escalation", {
          param: "inbox_id",
          message: "The key is held to one inbox, so its webhooks keep that filter.",
        });
      }
      if ([url, events, secret, inbox_ids, headers, enabled].every((field) => field === undefined))
        throw fail("missing_change");
      if (url !== undefined) checkUrl(ctx, url);

      return ctx.transaction(async (work) => {
        const webhook = await findWebhook(ctx, work, webhook_id);
        const changesSecret =
          secret !== undefined && !sameSecret(secret, ctx.seal.open(webhook.sealed_secret));
        const change = {
          ...(url === undefined ? {} : { url }),
          ...(events === undefined ? {} : { events }),
          ...(inbox_ids === undefined ? {} : { inbox_ids }),
          ...(headers === undefined ? {} : sealedHeaders(ctx, headers ?? {})),
          ...(changesSecret ? rotation(webhook, sealedSecret(ctx, secret), ctx.now) : {}),
          ...enabling(webhook, enabled, ctx.now),
        };
        if (Object.keys(change).length === 0) return showWebhook(webhook, ctx.now);
        const [changed] = await work.update("webhooks", { id: webhook.id }, change);
        return showWebhook(changed ?? webhook, ctx.now);
      });
    },
  }),

  /** Deletes a webhook; what was still on its way to it is not sent. */
  delete: operation({
    summary: "Deletes a webhook; what was still on its way to it is not sent.",
    scope: "filtered",
    allow: writes,
    input: z.object({ webhook_id: IdInput }),
    output: z.object({ id: z.string(), object: z.literal("webhook"), deleted: z.literal(true) }),
    async run(ctx, { webhook_id }) {
      const { id } = await findWebhook(ctx, ctx.storage, webhook_id);
      const deleted = await ctx.storage.delete("webhooks", { id });
      if (deleted === 0) throw fail("webhook_not_found");
      return { id, object: "webhook" as const, deleted: true as const };
    },
  }),

  /**
   * Makes a new secret, which is in this answer and in no other; the old one signs beside it for 24 hours.
   */
  rotateSecret: operation({
    summary: "Makes a new secret, shown once; the old one signs beside it for 24 hours.",
    scope: "filtered",
    allow: writes,
    input: z.object({ webhook_id: IdInput }),
    output: Webhook,
    async run(ctx, { webhook_id }) {
      const secret = newWebhookSecret();
      const sealed = sealedSecret(ctx, secret);
      return ctx.transaction(async (work) => {
        const webhook = await findWebhook(ctx, work, webhook_id);
        const [changed] = await work.update(
          "webhooks",
          { id: webhook.id },
          rotation(webhook, sealed, ctx.now),
        );
        return showWebhook(changed ?? webhook, ctx.now, secret);
      });
    },
  }),
};

/**
 * What an earlier call with the same client_id made; a key that may not see it is told no more than of any
 * other.
 */
function shownAgain(ctx: AccountContext, webhook: WebhookRecord): Webhook {
  if (!visible(ctx, webhook)) throw fail("webhook_not_found", { param: "client_id" });
  return showWebhook(webhook, ctx.now);
}

function checkUrl(ctx: AccountContext, url: string): void {
  const reason = ctx.webhookHttp.refusal(url);
  if (reason !== null) throw fail("invalid_webhook_url", { param: "url", message: reason });
}

function sealedSecret(
  ctx: AccountContext,
  secret: string,
): Pick<WebhookRecord, "sealed_secret" | "secret_hint"> {
  return { sealed_secret: ctx.seal.seal(secret), secret_hint: secretHint(secret) };
}

function sealedHeaders(
  ctx: AccountContext,
  headers: Record<string, string>,
): Pick<WebhookRecord, "header_names" | "sealed_headers"> {
  const header_names = Object.keys(headers);
  return {
    header_names,
    sealed_headers: header_names.length === 0 ? null : ctx.seal.seal(JSON.stringify(headers)),
  };
}
