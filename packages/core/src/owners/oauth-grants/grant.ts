import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { APP_PERMISSIONS, holdsAny, type Permission } from "../../catalogue/permissions.ts";
import { authoritiesOver } from "../../kernel/access/authority.ts";
import { type OwnerCaller, reachesInbox } from "../../kernel/access/caller.ts";
import type { Services } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { Work } from "../../kernel/work.ts";
import type { GrantRecord } from "../../model/apps.ts";
import { iso } from "../../model/fields.ts";

/** The access that a person gives to an app. */
export interface GrantRequest {
  account_id: string;
  /** Null for the whole account, which only an account owner can give. */
  inbox_id: string | null;
  scope: readonly Permission[];
  client: { client_id: string; client_name: string; redirect_hosts: string[] };
  /** The resource that the app's tokens will be valid for. */
  resource: string;
}

/**
 * Lets an app in on behalf of a person, with at most what that person may do. Fails with `inbox_not_found`,
 * `permission_escalation`, `too_many_grants`, and with `account_not_found` when they have no authority there.
 */
export async function grantAccess(
  services: Services,
  giver: Pick<OwnerCaller, "email" | "permissions" | "inbox_ids">,
  { account_id, inbox_id, scope, client, resource }: GrantRequest,
  now: Date,
): Promise<GrantRecord> {
  if (!reachesInbox(giver, inbox_id)) throw fail("permission_escalation", { param: "inbox_id" });
  const refused = scope.find(
    (name) => !APP_PERMISSIONS.includes(name) || !holdsAny(giver.permissions, [name]),
  );
  if (refused !== undefined || scope.length === 0)
    throw fail("permission_escalation", { param: refused ?? "scope" });
  const grant: GrantRecord = {
    id: services.makeId("grt"),
    account_id,
    inbox_id,
    ...client,
    scope: APP_PERMISSIONS.filter((name) => scope.includes(name)),
    resource,
    given_by: giver.email,
    connected_at: iso(now),
    last_refreshed_at: iso(now),
    // Until the app has fetched its first tokens.
    expires_at: iso(new Date(now.getTime() + LIMITS.oauth_authorization_ms)),
  };
  await unitOfWork(services, account_id, now, async (work) => {
    await holdAuthority(services, work, grant);
    if (inbox_id !== null && (await work.get("inboxes", inbox_id))?.account_id !== account_id)
      throw notFound("inbox_not_found", "inb", inbox_id);
    const max = LIMITS.oauth_grants_per_account;
    if ((await work.count("oauth_grants", { account_id }, max)) >= max) throw fail("too_many_grants");
    const expires_at = iso(new Date(now.getTime() + LIMITS.oauth_unused_client_kept_ms));
    await work.update("oauth_clients", { id: client.client_id }, { expires_at });
    work.append("oauth_grants", [grant]);
  });
  return grant;
}

/** Writes the giver's authority, so that it can't end before the grant exists and can end with it. */
async function holdAuthority(services: Services, work: Work, grant: GrantRecord): Promise<void> {
  const authority = await authorityBehind(services, work, grant);
  const held =
    authority === undefined
      ? []
      : await work.update("authorities", { id: authority.id }, { email: authority.email });
  if (held.length === 0) throw notFound("account_not_found", "acct", grant.account_id);
}

/** Returns the authority that a grant rests on; undefined when its giver no longer has any. */
export async function authorityBehind(
  own: Pick<Services, "options">,
  storage: Pick<Work, "find" | "get">,
  { account_id, inbox_id, given_by }: Pick<GrantRecord, "account_id" | "inbox_id" | "given_by">,
) {
  const authorities = await authoritiesOver(own, storage, { account_id, inbox_id });
  return authorities.find(({ email }) => email === given_by);
}
