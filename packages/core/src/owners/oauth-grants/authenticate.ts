import { fail } from "../../catalogue/errors.ts";
import type { AppCaller } from "../../kernel/access/caller.ts";
import type { Services } from "../../kernel/context.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import { iso } from "../../model/fields.ts";
import { permissionsOf } from "./rules.ts";

/** The prefix of every app's access token. */
export const ACCESS_TOKEN_PREFIX = "ls_oat_";

/** The parts of the service that tokens are valid for, by their path below BASE_URL. */
export type Resource = "/api/v1" | "/mcp";

/** Returns the key under which the authorization server stores data identified by an id, a code or a token. */
export const oauthHash = (kind: string, id: string): string => hashSecret(`${kind}:${id}`);

/**
 * Returns the caller of an app's access token. Fails with `invalid_api_key` when it is unknown, ended, or valid for
 * another part of the service.
 */
export async function authenticateApp(
  services: Services,
  token: string,
  ip: string | null,
  resource: Resource,
): Promise<AppCaller> {
  const { options } = services;
  if (token.length > 200) throw fail("invalid_api_key");
  const { aud, ...caller } = await appOf(services, oauthHash("AccessToken", token), ip);
  if (aud !== `${options.baseUrl}${resource}`) throw fail("invalid_api_key");
  return caller;
}

/**
 * Returns the caller with the current rights of its token and grant. Fails with `invalid_api_key` when either has
 * ended.
 */
export async function renewApp(services: Services, { token_hash, ip }: AppCaller): Promise<AppCaller> {
  const { aud: _same, ...caller } = await appOf(services, token_hash, ip);
  return caller;
}

async function appOf(
  services: Services,
  hash: string,
  ip: string | null,
): Promise<AppCaller & { aud: string | undefined }> {
  const { storage, cachedRead, clock } = services;
  const known = await cachedRead(`app ${hash}`, ["oauth_records"], () => readToken(services, hash));
  if (known === undefined || known.grant_id === null || known.expires_at <= iso(clock.now()))
    throw fail("invalid_api_key");
  const { grant_id, aud, scope } = known;
  // Always read anew: an ended grant's tokens end with it.
  const grant = await cachedRead(`grant ${grant_id}`, ["oauth_grants"], () =>
    storage.get("oauth_grants", grant_id),
  );
  if (grant === undefined) throw fail("invalid_api_key");
  return {
    type: "app",
    account_id: grant.account_id,
    grant_id,
    client_id: grant.client_id,
    token_hash: hash,
    aud,
    permissions: permissionsOf(grant, scope),
    inbox_ids: grant.inbox_id === null ? null : [grant.inbox_id],
    ip,
  };
}

/** Reads an access token by its hash. Opened once, since that costs as much as the rest of a call. */
async function readToken({ storage, seal }: Services, hash: string) {
  const record = await storage.get("oauth_records", hash);
  if (record === undefined) return undefined;
  const { grant_id, expires_at, sealed_payload } = record;
  const { aud, scope } = JSON.parse(seal.open(sealed_payload)) as { aud?: string; scope?: string };
  return { grant_id, expires_at, aud, scope };
}
