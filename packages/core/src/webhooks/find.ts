import { fail } from "../catalogue/errors.ts";
import type { AccountContext } from "../kernel/context.ts";
import { notFound } from "../kernel/gate.ts";
import type { WebhookRecord } from "../model/webhooks.ts";
import type { StorageReader } from "../ports/storage.ts";
import { withinInbox } from "./rules.ts";

/**
 * The caller's webhook, or `webhook_not_found`: another account's, or one that sees more than the key's
 * inbox, is not there.
 */
export async function findWebhook(
  ctx: AccountContext,
  storage: StorageReader,
  id: string,
): Promise<WebhookRecord> {
  const webhook = await storage.get("webhooks", id);
  if (webhook === undefined || !visible(ctx, webhook)) throw notFound("webhook_not_found", "wh", id);
  return webhook;
}

/** Whether the caller may know of the webhook. */
export function visible(ctx: AccountContext, webhook: WebhookRecord): boolean {
  return webhook.account_id === ctx.account_id && withinInbox(webhook, ctx.caller.inbox_id);
}

/** An inbox filter as a caller asks for it: `inbox_id` is short for a list of one, and null for none. */
export interface InboxFilter {
  inbox_id?: string | null | undefined;
  inbox_ids?: string[] | undefined;
}

/**
 * The filter's inboxes, or undefined when it isn't named. Fails with `invalid_request` when it is named twice
 * and with `inbox_not_found` for an inbox that is not the account's.
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
