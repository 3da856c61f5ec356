import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { EVENT_TYPES } from "../../catalogue/events.ts";
import { IdInput, InboxId, OnlyInboxId, WebhookId } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { answerInTransaction, canonicalJson } from "../../kernel/idempotency.ts";
import { checkInbox } from "../../kernel/inbox/check.ts";
import { operation } from "../../kernel/operation.ts";
import { newestFirst } from "../../kernel/page.ts";
import { newWebhookSecret, sameSecret } from "../../kernel/secrets.ts";
import type { Work } from "../../kernel/work.ts";
import { Approval } from "../../model/approvals.ts";
import {
  ClientId,
  CursorInput,
  clearable,
  created,
  iso,
  Limit,
  listOf,
  withFewKeys,
} from "../../model/fields.ts";
import { Webhook, type WebhookRecord } from "../../model/webhooks.ts";
import { voidApprovals } from "../../owners/approvals/index.ts";
import { deliveryOperations } from "./delivery-operations.ts";
import { canSeeWebhook, findWebhook, inboxesOf } from "./find.ts";
import { checkWebhookLimit, holdWebhook } from "./hold-change.ts";
import { enabling, newlyReached, refusedHeader, rotation, secretHint } from "./rules.ts";
import { showWebhook } from "./show.ts";
import { checkUrl, Url } from "./url.ts";

/** The errors of asking people. */
const ASKING_ERRORS = ["owner_required", "approval_limit", "approval_rejected", "approval_required"] as const;
const READ_PERMISSIONS = ["webhook_read", "webhook_write"] as const;
const WRITE_PERMISSIONS = ["webhook_write"] as const;
const MAX_SECRET_CHARS = 512;

const EventTypes = z
  .array(z.enum(EVENT_TYPES, { error: "invalid_event_type" }))
  .max(100)
  .transform((types) => [...new Set(types)]);
const Secret = z.string().min(LIMITS.webhook_secret_min_chars).max(MAX_SECRET_CHARS);
const InboxIds = z.array(IdInput).max(LIMITS.webhook_inboxes, { error: "too_many_inboxes" });
const Headers = withFewKeys(
  z.record(z.string(), z.string({ error: "invalid_webhook_header" })).superRefine((headers, check) => {
    const name = refusedHeader(headers);
    if (name !== undefined)
      check.addIssue({ code: "custom", message: "invalid_webhook_header", path: [name] });
  }),
  "invalid_webhook_header",
);

/** The operations on webhooks. */
export const webhooks = {
  ...deliveryOperations,

  /** A key limited to an inbox lists only the webhooks limited to that inbox. */
  list: operation({
    summary: "Lists the webhooks, newest first. Secrets are shortened and header values redacted.",
    when: "See where events are posted, and whether that works.",
    scope: "filtered",
    effect: "read",
    pages: true,
    allow: READ_PERMISSIONS,
    input: z.object({
      inbox_id: OnlyInboxId.describe("Only webhooks whose filter names this inbox; all by default."),
      limit: Limit(LIMITS.list_default, LIMITS.list_max),
      cursor: CursorInput.optional(),
    }),
    output: listOf(Webhook),
    async run(ctx, { inbox_id, limit, cursor }) {
      const { account_id, caller, storage } = ctx;
      await checkInbox(ctx, inbox_id);
      const isAsked = ({ inbox_ids }: WebhookRecord) =>
        inbox_id === undefined || inbox_ids.includes(inbox_id);
      const page = await newestFirst(storage, "webhooks", {
        where: { account_id },
        limit,
        cursor,
        filter: { account_id, inbox_ids: caller.inbox_ids, inbox_id },
        // An account has at most 50 webhooks, so those of an inbox are filtered here instead of by an index.
        only: {
          among: LIMITS.webhooks_per_account,
          keep: (webhook) => canSeeWebhook(ctx, webhook) && isAsked(webhook),
        },
      });
      return { ...page, data: page.data.map((webhook) => showWebhook(webhook, ctx.now)) };
    },
  }),

  create: operation({
    summary:
      "Adds a webhook. Its secret is shown only here. Where an inbox that it reaches asks people about its mail, one of them must approve first.",
    when: "Have events posted to your own server; check their signature with verifyWebhook.",
    example: {
      url: "https://agent.example/hook",
      events: ["message.received", "task.received"],
      client_id: "agent-hook",
    },
    errors: ["webhook_limit", "webhook_not_found", ...ASKING_ERRORS],
    scope: "filtered",
    effect: "write",
    holds: true,
    allow: WRITE_PERMISSIONS,
    idempotent: true,
    input: z.object({
      url: Url.describe("Where to post events: an address on the public internet, at most 2,048 characters."),
      events: EventTypes.default([]).describe("The event types to post; all by default."),
      secret: Secret.optional().describe("What deliveries are signed with; a random one by default."),
      inbox_id: InboxId.nullable().optional().describe("Only this inbox's events."),
      inbox_ids: InboxIds.optional().describe(
        `Only these inboxes' events, at most ${LIMITS.webhook_inboxes}; all by default.`,
      ),
      headers: Headers.default({}).describe(
        `Authorization and X-* headers to send along, at most ${LIMITS.webhook_headers}; stored encrypted.`,
      ),
      client_id: ClientId.optional(),
    }),
    output: z.union([created(Webhook, "CreatedWebhook"), created(Approval, "CreatedApproval")]),
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
        inbox_ids: named !== undefined && named.length > 0 ? named : [...(ctx.caller.inbox_ids ?? [])],
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
      const make = async (work: Work): Promise<Webhook | Approval> => {
        const [known] = await work.find("webhooks", { where: knownBy(record), limit: 1 });
        if (known === undefined) {
          await checkWebhookLimit(work, ctx.account_id, LIMITS.webhooks_per_account - 1);
          const held = await holdWebhook(ctx, work, {
            ...{ after: record, reaches: record.inbox_ids, write: withoutId(record), asked: input },
          });
          if (held !== undefined) return held;
        }
        const { record: stored, inserted } = await work.insert("webhooks", record);
        if (!inserted) return { ...shownAgain(ctx, stored), idempotent: true };
        await checkWebhookLimit(work, ctx.account_id, LIMITS.webhooks_per_account);
        return showWebhook(stored, ctx.now, secret);
      };
      // A replay doesn't show the secret again.
      const kept = (shown: Webhook | Approval) =>
        "url" in shown && shown.id === record.id
          ? { ...shown, secret: showWebhook(record, ctx.now).secret }
          : shown;
      return answerInTransaction(ctx, make, kept);
    },
  }),

  get: operation({
    summary: "Shows a webhook, with its secret shortened.",
    when: "Look at one webhook.",
    scope: "filtered",
    effect: "read",
    allow: READ_PERMISSIONS,
    input: z.object({ webhook_id: WebhookId }),
    output: Webhook,
    async run(ctx, { webhook_id }) {
      return showWebhook(await findWebhook(ctx, ctx.storage, webhook_id), ctx.now);
    },
  }),

  update: operation({
    summary:
      "Changes a webhook. After a new secret, both secrets sign for 24 hours. A new address, header or inbox is approved by a person first where the inbox asks people about its mail.",
    when: "Move a webhook, choose other events, or enable it again after failures.",
    example: { events: ["message.received"], enabled: true },
    errors: ["missing_change", "permission_escalation", ...ASKING_ERRORS],
    scope: "filtered",
    effect: "write",
    patches: true,
    holds: true,
    allow: WRITE_PERMISSIONS,
    input: z.object({
      webhook_id: WebhookId,
      url: Url.optional().describe("Where to post events from now on."),
      events: clearable(EventTypes, [])
        .optional()
        .describe("The event types to post; an empty list or null means all."),
      secret: Secret.optional().describe("A new secret; the old one signs too for 24 hours."),
      inbox_id: InboxId.nullable().optional().describe("Only this inbox's events; null for all."),
      inbox_ids: clearable(InboxIds, [])
        .optional()
        .describe(
          `Only these inboxes' events, at most ${LIMITS.webhook_inboxes}; an empty list or null for all.`,
        ),
      headers: Headers.nullable()
        .optional()
        .describe("Headers to send along, instead of those that it has; null removes them."),
      enabled: z
        .boolean()
        .optional()
        .describe("Whether events are delivered; true sets the count of failures to 0."),
    }),
    output: z.union([Webhook, Approval]),
    async run(ctx, { webhook_id, url, events, secret, headers, enabled, ...filter }) {
      const inbox_ids = await inboxesOf(ctx, filter);
      if (inbox_ids?.length === 0 && ctx.caller.inbox_ids !== null) {
        throw fail("permission_escalation", {
          param: "inbox_id",
          message: "This key is limited to certain inboxes, so its webhooks keep that filter.",
        });
      }
      if ([url, events, secret, inbox_ids, headers, enabled].every((field) => field === undefined))
        throw fail("missing_change");
      if (url !== undefined) checkUrl(ctx, url);

      return ctx.transaction(async (work): Promise<Webhook | Approval> => {
        const webhook = await findWebhook(ctx, work, webhook_id);
        const wayOut = {
          ...(url === undefined ? {} : { url }),
          ...(headers === undefined ? {} : sealedHeaders(ctx, headers ?? {})),
          ...(inbox_ids === undefined ? {} : { inbox_ids }),
        };
        const reaches = newlyReached(webhook, {
          url,
          inbox_ids,
          headers: headersAfter(ctx, webhook, headers),
        });
        if (reaches !== undefined) {
          const after = { ...webhook, ...wayOut };
          const asked = { webhook_id, url, headers, inbox_ids };
          const held = await holdWebhook(ctx, work, { webhook_id, after, reaches, write: wayOut, asked });
          if (held !== undefined) {
            if ([events, secret, enabled].every((field) => field === undefined)) return held;
            throw fail("invalid_request", {
              param: "url",
              message: "An owner must approve this change. Change nothing else in the same call.",
            });
          }
        }
        const changesSecret =
          secret !== undefined && !sameSecret(secret, ctx.seal.open(webhook.sealed_secret));
        const change = {
          ...wayOut,
          ...(events === undefined ? {} : { events }),
          ...(changesSecret ? rotation(webhook, sealedSecret(ctx, secret), ctx.now) : {}),
          ...enabling(webhook, enabled, ctx.now),
        };
        if (Object.keys(change).length === 0) return showWebhook(webhook, ctx.now);
        const [changed] = await work.update("webhooks", { id: webhook.id }, change);
        // What is asked about it was shown with the way out that it had.
        if (Object.keys(wayOut).length > 0) await voidApprovals(work, webhook.id, ctx.now);
        return showWebhook(changed ?? webhook, ctx.now);
      });
    },
  }),

  delete: operation({
    summary: "Deletes a webhook. Its pending deliveries are not sent.",
    when: "Stop posting events to an address for good.",
    scope: "filtered",
    effect: "delete",
    allow: WRITE_PERMISSIONS,
    input: z.object({ webhook_id: WebhookId }),
    output: z.object({
      id: z.string().describe("The id of the deleted webhook."),
      object: z.literal("webhook"),
      deleted: z.literal(true),
    }),
    async run(ctx, { webhook_id }) {
      const { id } = await findWebhook(ctx, ctx.storage, webhook_id);
      await ctx.transaction(async (work) => {
        if ((await work.delete("webhooks", { id })) === 0) throw fail("webhook_not_found");
        await voidApprovals(work, id, ctx.now);
      });
      return { id, object: "webhook" as const, deleted: true as const };
    },
  }),

  rotateSecret: operation({
    summary: "Creates a new secret, shown only here. Both secrets sign for 24 hours.",
    when: "Replace a secret without losing an event; both sign for 24 hours.",
    scope: "filtered",
    effect: "write",
    allow: WRITE_PERMISSIONS,
    input: z.object({ webhook_id: WebhookId }),
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

/** The webhook that an earlier call made. */
const knownBy = ({ id, account_id, client_id }: WebhookRecord) =>
  client_id === null ? { id } : { account_id, client_id };

const withoutId = ({ id: _id, ...record }: WebhookRecord) => record;

/** Whether the headers that go along would have other names or values; to send none is no way out. */
function headersAfter(
  { seal }: AccountContext,
  { sealed_headers }: WebhookRecord,
  asked: Record<string, string> | null | undefined,
): "same" | "other" {
  if (asked == null || Object.keys(asked).length === 0) return "same";
  const before = sealed_headers === null ? {} : (JSON.parse(seal.open(sealed_headers)) as typeof asked);
  return canonicalJson(before) === canonicalJson(asked) ? "same" : "other";
}

/**
 * The webhook of an earlier call with the same client_id. A key that may not see it gets `webhook_not_found`.
 */
function shownAgain(ctx: AccountContext, webhook: WebhookRecord): Webhook {
  if (!canSeeWebhook(ctx, webhook)) throw fail("webhook_not_found", { param: "client_id" });
  return showWebhook(webhook, ctx.now);
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
