import {
  authorizationServerMetadata,
  LIMITS,
  OAUTH_PATHS,
  OAUTH_RESOURCES,
  protectedResourceMetadata,
} from "@letterslot/core";
import type { Hono } from "hono";
import { readBytes } from "../request/body.ts";
import type { OAuthState, ServerContext, ServerEnv } from "../request/context.ts";
import { refuseOtherMethods } from "../request/errors.ts";

/** Any page may read what the server says of itself, and register: none of it needs, or gives, anything secret. */
const OPEN = { "access-control-allow-origin": "*" };

const PREFLIGHT = {
  ...OPEN,
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers": "content-type, mcp-protocol-version",
  "access-control-max-age": "3600",
};

const SERVER = "/.well-known/oauth-authorization-server";
const RESOURCE = "/.well-known/oauth-protected-resource";

/**
 * Mounts the authorization server (OAuth 2.1) and the documents by which apps find it. Where BASE_URL has a path,
 * the documents are also at the place before that path, as RFC 8414 and RFC 9728 ask for.
 */
export function mountOAuth(app: Hono<ServerEnv>, state: OAuthState): void {
  const { base_url } = state.letterslot.services.options;
  const inserted = new URL(base_url).pathname.replace(/\/$/, "");
  const documents = new Map<string, object>();
  for (const base of new Set(["", inserted])) {
    documents.set(`${SERVER}${base}`, authorizationServerMetadata(base_url));
    for (const resource of OAUTH_RESOURCES)
      documents.set(`${RESOURCE}${base}${resource}`, protectedResourceMetadata(base_url, resource));
  }
  for (const [path, document] of documents) {
    app.get(path, () => Response.json(document, { headers: { ...OPEN, "cache-control": "max-age=3600" } }));
    app.options(path, preflight);
    refuseOtherMethods(app, path, "GET");
  }

  const answer = async (c: ServerContext) => {
    const body = await readBytes(c, LIMITS.oauth_request_bytes);
    const { method, url } = c.req;
    const headers = new Headers(c.req.header());
    const request = new Request(url, { method, headers, ...(method === "POST" ? { body } : {}) });
    return state.oauth.handle(request, state.clientAddress(c));
  };

  app.get(OAUTH_PATHS.authorization, answer);
  app.get(`${OAUTH_PATHS.authorization}/:id`, answer);
  app.post(OAUTH_PATHS.registration, async (c) => {
    const response = await answer(c);
    response.headers.set("access-control-allow-origin", "*");
    return response;
  });
  app.options(OAUTH_PATHS.registration, preflight);
  for (const path of [OAUTH_PATHS.token, OAUTH_PATHS.revocation]) app.on(["POST", "OPTIONS"], path, answer);
  for (const path of [OAUTH_PATHS.authorization, `${OAUTH_PATHS.authorization}/:id`])
    refuseOtherMethods(app, path, "GET");
  for (const path of [OAUTH_PATHS.token, OAUTH_PATHS.revocation, OAUTH_PATHS.registration])
    refuseOtherMethods(app, path, "POST");
}

const preflight = (): Response => new Response(null, { status: 204, headers: PREFLIGHT });
