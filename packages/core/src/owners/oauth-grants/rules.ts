import { APP_DEFAULT_PERMISSIONS, APP_PERMISSIONS, type Permission } from "../../catalogue/permissions.ts";
import type { Grant, GrantRecord } from "../../model/apps.ts";

/**
 * Returns the permissions that an app may request from a person: unknown scopes and those that no app may have are
 * left out.
 */
export function askedPermissions(scope: string | undefined): Permission[] {
  const words = new Set((scope ?? "").split(" "));
  const known = APP_PERMISSIONS.filter((name) => words.has(name));
  return known.length > 0 ? known : [...APP_DEFAULT_PERMISSIONS];
}

/** Returns the permissions of a token: the part of its grant's scope that the token was requested with. */
export function permissionsOf(
  { scope }: Pick<GrantRecord, "scope">,
  asked: string | undefined,
): Permission[] {
  const words = new Set((asked ?? "").split(" "));
  return APP_PERMISSIONS.filter((name) => scope.includes(name) && words.has(name));
}

/** A grant with how many of its tokens work. */
export interface LiveGrant extends GrantRecord {
  active_tokens: number;
}

/** Sums up the grants of each app in one row, the last refreshed app first. */
export function rowsOf(grants: readonly LiveGrant[]): Grant[] {
  return [...Map.groupBy(grants, ({ client_id }) => client_id).values()]
    .map(rowOf)
    .sort((a, b) => (a.last_refreshed_at < b.last_refreshed_at ? 1 : -1));
}

function rowOf(grants: readonly LiveGrant[]): Grant {
  const parts = [...grants].sort((a, b) => (a.id < b.id ? 1 : -1));
  const newest = parts[0] as LiveGrant;
  const same_inbox = parts.every(({ inbox_id }) => inbox_id === newest.inbox_id);
  return {
    object: "oauth_grant",
    id: newest.id,
    client_id: newest.client_id,
    client_name: newest.client_name,
    redirect_hosts: [...new Set(parts.flatMap(({ redirect_hosts }) => redirect_hosts))],
    scope: inScopeOrder(parts.flatMap(({ scope }) => scope)),
    resource: newest.resource,
    inbox_id: same_inbox ? newest.inbox_id : null,
    connected_at: parts.map(({ connected_at }) => connected_at).sort()[0] as string,
    last_refreshed_at: parts
      .map(({ last_refreshed_at }) => last_refreshed_at)
      .sort()
      .at(-1) as string,
    active_tokens: parts.reduce((sum, { active_tokens }) => sum + active_tokens, 0),
    grants: parts.map(({ id, inbox_id, scope, connected_at }) => ({
      id,
      inbox_id,
      scope: inScopeOrder(scope),
      connected_at,
    })),
  };
}

const inScopeOrder = (scope: readonly Permission[]): string =>
  APP_PERMISSIONS.filter((name) => scope.includes(name)).join(" ");
