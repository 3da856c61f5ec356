import { LIMITS } from "@letterslot/core";
import {
  authorizationServerMetadata,
  OAUTH_PATHS,
  OAUTH_RESOURCES,
  protectedResourceMetadata,
} from "@letterslot/core/internal";
import type { Hono } from "hono";
import { answerPage } from "../pages/page-request.ts";
import { checkIsJson, readBytes } from "../request/body.ts";
import type { OAuthState, ServerContext, ServerEnv } from "../request/context.ts";
import { refuseOtherMethods } from "../request/errors.ts";

/** Any page may read the server's metadata, and register: neither needs or reveals a secret. */
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
 * Mounts the authorization server (OAuth 2.1) and the documents by which apps find it. If BASE_URL has a path, the
 * documents are also at the place before that path, as RFC 8414 and RFC 9728 require.
 */
export function mountOAuth(app: Hono<ServerEnv>, state: OAuthState): void {
  const { baseUrl: base_url } = state.letterslot.services.options;
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
    refuseOtherMethods(app, path);
  }

  const answer = async (c: ServerContext) => {
    const body = await readBytes(c, LIMITS.oauth_request_bytes);
    const { method, url } = c.req;
    const headers = new Headers(c.req.header());
    const request = new Request(url, { method, headers, ...(method === "POST" ? { body } : {}) });
    return state.oauth.handle(request, state.clientAddress(c));
  };

  for (const path of [OAUTH_PATHS.authorization, `${OAUTH_PATHS.authorization}/:id`])
    app.get(path, (c) => answerPage(c, state, () => answer(c)));
  app.post(OAUTH_PATHS.registration, async (c) => {
    checkIsJson(c);
    const response = await answer(c);
    response.headers.set("access-control-allow-origin", "*");
    return response;
  });
  app.options(OAUTH_PATHS.registration, preflight);
  for (const path of [OAUTH_PATHS.token, OAUTH_PATHS.revocation]) app.on(["POST", "OPTIONS"], path, answer);
  for (const path of [OAUTH_PATHS.authorization, `${OAUTH_PATHS.authorization}/:id`])
    refuseOtherMethods(app, path);
  for (const path of [OAUTH_PATHS.token, OAUTH_PATHS.revocation, OAUTH_PATHS.registration])
    refuseOtherMethods(app, path);
}

const preflight = (): Response => new Response(null, { status: 204, headers: PREFLIGHT });
