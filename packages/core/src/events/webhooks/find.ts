import { fail } from "../../catalogue/errors.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import type { WebhookRecord } from "../../model/webhooks.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { isWithinReach } from "./rules.ts";

/**
 * A webhook that the caller may see: one of the account and, for a scoped key, only of its inbox. Fails with
 * `webhook_not_found`.
 */
export async function findWebhook(
  ctx: AccountContext,
  storage: StorageReader,
  id: string,
): Promise<WebhookRecord> {
  const webhook = await storage.get("webhooks", id);
  if (webhook === undefined || !canSeeWebhook(ctx, webhook)) throw notFound("webhook_not_found", "wh", id);
  return webhook;
}

/** Whether the caller may see the webhook. */
export function canSeeWebhook(ctx: AccountContext, webhook: WebhookRecord): boolean {
  return webhook.account_id === ctx.account_id && isWithinReach(webhook, ctx.caller.inbox_ids);
}

/** A requested inbox filter: `inbox_id` is short for a list of one, and null for an empty list. */
export interface InboxFilter {
  inbox_id?: string | null | undefined;
  inbox_ids?: string[] | undefined;
}

/**
 * The inboxes of a filter; undefined when none is set. Fails with `invalid_request` when both fields are set,
 * and with `inbox_not_found` for an inbox of another account.
 */
export async function inboxesOf(
  ctx: AccountContext,
  { inbox_id, inbox_ids }: InboxFilter,
): Promise<string[] | undefined> {
  if (inbox_id !== undefined && inbox_ids !== undefined)
    throw fail("invalid_request", { param: "inbox_id", message: "Use inbox_id or inbox_ids, not both." });
  if (inbox_id === undefined && inbox_ids === undefined) return undefined;
  const ids = [...new Set(inbox_ids ?? (inbox_id ? [inbox_id] : []))];
  const found = await Promise.all(ids.map((id) => ctx.storage.get("inboxes", id)));
  const missing = ids.findIndex((_, index) => found[index]?.account_id !== ctx.account_id);
  if (missing !== -1) throw notFoundInbox(ids[missing], inbox_ids === undefined ? "inbox_id" : "inbox_ids");
  return ids;
}

function notFoundInbox(id: unknown, param: string): Error {
  const { message, fix } = notFound("inbox_not_found", "inb", id) as ReturnType<typeof fail>;
  return fail("inbox_not_found", { param, message, fix });
}
