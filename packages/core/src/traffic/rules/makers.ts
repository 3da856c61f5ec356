import type { Permission } from "../../catalogue/permissions.ts";
import { holdsAny } from "../../catalogue/permissions.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRuleRecord } from "../../model/inbox-rules.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { actionsOf, PERMISSION_OF } from "./rules.ts";

/** The permissions that a rule's actions take of whoever wrote it. */
export const permissionsFor = ({ actions }: Pick<InboxRuleRecord, "actions">): Permission[] =>
  actionsOf(actions).flatMap((action) => PERMISSION_OF[action] ?? []);

/** Why a rule may not do its actions any more, in a sentence; undefined while it may. */
export async function faultOf(
  storage: Pick<StorageReader, "get">,
  rule: InboxRuleRecord,
  now: Date,
): Promise<string | undefined> {
  const { forward_to } = rule.actions;
  const forwarding = forward_to === undefined ? undefined : await storage.get("forwardings", forward_to);
  if (forward_to !== undefined && forwarding?.status !== "verified")
    return "The forwarding that it uses has ended.";
  return makerFault(storage, rule, now);
}

/**
 * Why the agent that wrote a rule may not do its actions any more, in a sentence; undefined while it may, for a person's
 * rule, and for one that takes no permission.
 */
async function makerFault(
  storage: Pick<StorageReader, "get">,
  rule: InboxRuleRecord,
  now: Date,
): Promise<string | undefined> {
  const needed = permissionsFor(rule);
  if (rule.made_by === "person" || needed.length === 0) return undefined;
  const reach = await reachOf(storage, rule, now);
  if (reach === undefined) return "The key or app that wrote it has ended.";
  if (reach.inbox_id !== null && reach.inbox_id !== rule.inbox_id)
    return "The key or app that wrote it doesn't reach the inbox any more.";
  const missing = needed.find((permission) => !holdsAny(reach.permissions, [permission]));
  return missing && `The key or app that wrote it doesn't have the permission ${missing} any more.`;
}

async function reachOf(
  storage: Pick<StorageReader, "get">,
  { key_id, grant_id, account_id }: InboxRuleRecord,
  now: Date,
): Promise<{ permissions: readonly Permission[] | null; inbox_id: string | null } | undefined> {
  if (key_id !== null) {
    const key = await storage.get("keys", key_id);
    if (key === undefined || key.revoked_at !== null || isOver(key.expires_at, now)) return undefined;
    return key;
  }
  const grant = grant_id === null ? undefined : await storage.get("oauth_grants", grant_id);
  if (grant === undefined || grant.account_id !== account_id || isOver(grant.expires_at, now))
    return undefined;
  return { permissions: grant.scope, inbox_id: grant.inbox_id };
}

const isOver = (expires_at: string | null, now: Date): boolean =>
  expires_at !== null && expires_at <= iso(now);
