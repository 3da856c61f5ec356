import { fail } from "../catalogue/errors.ts";
import type { AppCaller } from "../kernel/caller.ts";
import type { Services } from "../kernel/context.ts";
import { hashSecret } from "../kernel/secrets.ts";
import { iso } from "../model/fields.ts";
import { permissionsOf } from "./rules.ts";

/** What every app's access token begins with. */
export const ACCESS_TOKEN_PREFIX = "ls_oat_";

/** The parts of the service that tokens are good for, by their path below BASE_URL. */
export type Resource = "/api/v1" | "/mcp";

/** The key under which the authorization server stores what it knows by an id, a code or a token. */
export const oauthHash = (kind: string, id: string): string => hashSecret(`${kind}:${id}`);

/**
 * The caller of an app's access token. Fails with `invalid_api_key` when it is unknown, ended, or good for
 * another part of the service.
 */
export async function authenticateApp(
  services: Services,
  token: string,
  ip: string | null,
  resource: Resource,
): Promise<AppCaller> {
  const { storage, cachedRead, clock, options } = services;
  const hash = oauthHash("AccessToken", token);
  const known =
    token.length > 200
      ? undefined
      : await cachedRead(`app ${hash}`, ["oauth_records"], () => readToken(services, hash));
  if (known === undefined || known.grant_id === null || known.expires_at <= iso(clock.now()))
    throw fail("invalid_api_key");
  const { grant_id, aud, scope } = known;
  // Always read anew: an ended grant's tokens end with it.
  const grant = await cachedRead(`grant ${grant_id}`, ["oauth_grants"], () =>
    storage.get("oauth_grants", grant_id),
  );
  if (grant === undefined) throw fail("invalid_api_key");
  if (aud !== `${options.base_url}${resource}`) throw fail("invalid_api_key");
  return {
    type: "app",
    account_id: grant.account_id,
    grant_id,
    client_id: grant.client_id,
    permissions: permissionsOf(grant, scope),
    inbox_ids: grant.inbox_id === null ? null : [grant.inbox_id],
    ip,
  };
}

/** What is known of an access token by its hash; opened once, since that costs as much as the rest of a call. */
async function readToken({ storage, seal }: Services, hash: string) {
  const record = await storage.get("oauth_records", hash);
  if (record === undefined) return undefined;
  const { grant_id, expires_at, sealed_payload } = record;
  const { aud, scope } = JSON.parse(seal.open(sealed_payload)) as { aud?: string; scope?: string };
  return { grant_id, expires_at, aud, scope };
}
