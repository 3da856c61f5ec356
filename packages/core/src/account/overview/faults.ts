import { idFloor } from "../../catalogue/ids.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { holdsAny, READ_PERMISSIONS } from "../../catalogue/permissions.ts";
import { canSeeWebhook } from "../../events/webhooks/index.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { refusalsFor } from "../../mailbox/refusals/index.ts";
import type { DomainRecord } from "../../model/domains.ts";
import type { OverviewRefusal } from "../../model/overview.ts";
import type { WebhookRecord } from "../../model/webhooks.ts";
import { oftenRefused } from "./rules.ts";

/** The webhooks that the service disabled, the latest first, and one more than are shown if there are more. */
export async function disabledWebhooks(ctx: AccountContext): Promise<WebhookRecord[]> {
  const { storage, account_id } = ctx;
  const webhooks = await storage.find("webhooks", {
    where: { account_id },
    order: { by: "id", direction: "desc" },
    limit: LIMITS.webhooks_per_account,
  });
  return webhooks
    .filter((webhook) => webhook.disabled_reason === "consecutive_failures" && canSeeWebhook(ctx, webhook))
    .sort((a, b) => (b.disabled_at ?? "").localeCompare(a.disabled_at ?? "", "en"))
    .slice(0, LIMITS.overview_items + 1);
}

/** The domains that need somebody, newest first, and one more than are shown if there are more. They are the account's: callers limited to inboxes see none. */
export async function ailingDomains({
  storage,
  account_id,
  caller,
}: AccountContext): Promise<DomainRecord[]> {
  if (caller.inbox_ids !== null) return [];
  return storage.find("domains", {
    where: { account_id, status: { in: ["degraded", "failed"] } },
    order: { by: "id", direction: "desc" },
    limit: LIMITS.overview_items + 1,
  });
}

/** Finds calls that were refused often within the last day, and one more than are shown if there are more. */
export async function frequentRefusals({ storage, caller, now }: AccountContext): Promise<OverviewRefusal[]> {
  const { own, within } = refusalsFor(caller);
  const since = new Date(now.getTime() - LIMITS.overview_refused_ms);
  const records = await storage.find("refusals", {
    where: {
      ...own,
      ...(within === undefined ? {} : { inbox_id: { in: within } }),
      id: { gte: idFloor("ref", since) },
    },
    order: { by: "id", direction: "desc" },
    limit: LIMITS.overview_refusals_read,
  });
  const often = oftenRefused(records);
  const ids = [...new Set(often.map(({ caller_id }) => caller_id))];
  const named = <N extends "keys" | "oauth_grants">(table: N, allowed: "api_key" | "oauth_grant") =>
    ids.length > 0 && holdsAny(caller.permissions, READ_PERMISSIONS[allowed])
      ? storage.find(table, { where: { id: { in: ids } } as never, limit: ids.length })
      : [];
  const [keys, grants] = await Promise.all([named("keys", "api_key"), named("oauth_grants", "oauth_grant")]);
  const names = new Map([
    ...keys.map(({ id, name }) => [id, name] as const),
    ...grants.map(({ id, client_name }) => [id, client_name] as const),
  ]);
  return often.map(({ caller_id, ...refusal }) => ({ ...refusal, name: names.get(caller_id) ?? null }));
}
