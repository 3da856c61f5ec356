import { generateKeyPairSync } from "node:crypto";
import { type Letterslot, LIMITS } from "@letterslot/core";
import { APP_PERMISSIONS, OAUTH_PATHS, OAUTH_RESOURCES } from "@letterslot/core/internal";
import { errors, interactionPolicy, type KoaContextWithOIDC, Provider } from "oidc-provider";
import { PROVIDER_COOKIES } from "./browser-cookies.ts";
import { readClientMetadata } from "./client-metadata.ts";
import { createRecords } from "./records.ts";
import { countRequest } from "./request-limits.ts";

const seconds = (ms: number): number => ms / 1000;

/**
 * Creates the authorization server: codes with PKCE for public clients, bound to one resource, and refresh tokens that
 * rotate. Its state is in the service's storage, so that any process can answer any request.
 */
export function createProvider(letterslot: Letterslot): Provider {
  const { services } = letterslot;
  const { baseUrl: base_url } = services.options;
  const provider = new Provider(base_url, {
    adapter: createRecords(letterslot),
    // Nothing is signed: tokens are opaque and known by their hash, and cookies hold random ids.
    jwks: { keys: [unusedKey()] },
    cookies: {
      keys: ["unused"],
      names: { session: "ls_oauth_session", ...PROVIDER_COOKIES },
      short: { httpOnly: true, sameSite: "lax", signed: false, overwrite: true },
      long: { httpOnly: true, sameSite: "lax", signed: false, overwrite: true },
    },
    clientDefaults: {
      id_token_signed_response_alg: "EdDSA",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    clientAuthMethods: ["none"],
    responseTypes: ["code"],
    pkce: { required: () => true },
    routes: {
      authorization: OAUTH_PATHS.authorization,
      token: OAUTH_PATHS.token,
      revocation: OAUTH_PATHS.revocation,
      jwks: "/oauth/jwks",
      end_session: "/oauth/end",
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (ctx, resource) => resourceServer(ctx, base_url, resource),
      },
      clientIdMetadataDocument: {
        enabled: true,
        ack: "draft-02",
        allowFetch: async (ctx) => (await countRequest(services, "document", ctx?.ip ?? null)).within,
      },
    },
    fetch: (url: string | URL) => fetchDocument(letterslot, String(url)),
    clientBasedCORS: (_ctx, origin, client) =>
      (client.redirectUris ?? []).some((uri) => URL.parse(uri)?.origin === origin && origin !== "null"),
    ttl: {
      AccessToken: seconds(LIMITS.oauth_access_token_ms),
      AuthorizationCode: seconds(LIMITS.oauth_code_ms),
      RefreshToken: seconds(LIMITS.oauth_refresh_token_ms),
      Interaction: seconds(LIMITS.oauth_authorization_ms),
      Grant: seconds(LIMITS.oauth_refresh_token_ms),
      Session: seconds(LIMITS.oauth_authorization_ms),
    },
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    expiresWithSession: async () => false,
    findAccount: async (_ctx, email) => ({ accountId: email, claims: async () => ({ sub: email }) }),
    loadExistingGrant: async (ctx) => {
      const grant_id = ctx.oidc.result?.consent?.grantId;
      return grant_id === undefined ? undefined : ctx.oidc.provider.Grant.find(grant_id);
    },
    interactions: {
      policy: [askEveryTime()],
      url: (_ctx, { uid }) => `${base_url}${OAUTH_PATHS.consent}/${uid}`,
    },
    renderError(ctx, out) {
      ctx.body = out;
    },
  } as ConstructorParameters<typeof Provider>[1]);
  provider.proxy = true;
  prefixTokens(provider.AccessToken, "ls_oat_");
  prefixTokens(provider.RefreshToken, "ls_ort_");
  provider.on("authorization.error", keepHere);
  provider.on("server_error", keepHere);
  provider.on("server_error", (_ctx, error) => services.log.error({ error }, "OAuth request failed"));
  return provider;
}

/**
 * Keeps the answer to a wrong request from leading to the app before its person has answered: otherwise the sender of a
 * link to this server would choose its destination (RFC 9700, section 4.11.2).
 */
function keepHere({ oidc }: KoaContextWithOIDC, error: Error): void {
  const answered = oidc?.entities.Interaction?.result !== undefined;
  if (!answered) Object.assign(error, { allow_redirect: false });
}

function resourceServer(ctx: KoaContextWithOIDC, base_url: string, resource: string) {
  const known = OAUTH_RESOURCES.some((path) => resource === `${base_url}${path}`);
  if (!known || Array.isArray(ctx.oidc.params?.["resource"])) throw new errors.InvalidTarget();
  return {
    scope: APP_PERMISSIONS.join(" "),
    audience: resource,
    accessTokenFormat: "opaque" as const,
    accessTokenTTL: seconds(LIMITS.oauth_access_token_ms),
  };
}

/** The person must consent at every request, independently of earlier answers. */
function askEveryTime() {
  const { Check, Prompt } = interactionPolicy;
  return new Prompt(
    { name: "consent", requestable: true },
    new Check("asked_every_time", "the person must be asked", "consent_required", (ctx) =>
      ctx.oidc.result?.consent === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
    ),
  );
}

/** Begins every token of a kind with a word by which people and scanners know it. */
function prefixTokens(model: { prototype: object }, prefix: string): void {
  const prototype = model.prototype as { generateTokenId(): string };
  const generate = prototype.generateTokenId;
  prototype.generateTokenId = function generateTokenId(this: object): string {
    return prefix + generate.call(this);
  };
}

/** Fetches the document behind a client id that is an address, and reduces it to the stored fields of a description. */
async function fetchDocument({ services }: Letterslot, url: string): Promise<Response> {
  const { status, error, body, cache_control } = await services.webhookHttp.get({
    url,
    max_bytes: LIMITS.oauth_document_bytes,
    timeout_ms: LIMITS.oauth_document_ms,
  });
  if (status !== 200) throw new Error(error ?? `the document's server answered ${status}`);
  const given = JSON.parse(Buffer.from(body).toString("utf8")) as { client_id?: unknown };
  const metadata = readClientMetadata(given);
  if ("error" in metadata) throw new Error(metadata.error_description);
  return Response.json(
    { ...metadata, client_id: given.client_id },
    { headers: cache_control === null ? {} : { "cache-control": cache_control } },
  );
}

function unusedKey(): Record<string, unknown> {
  const { privateKey } = generateKeyPairSync("ed25519");
  return { ...privateKey.export({ format: "jwk" }), use: "sig", alg: "EdDSA" };
}
