import { APP_DEFAULT_PERMISSIONS, APP_PERMISSIONS } from "../../catalogue/permissions.ts";
import type { Resource } from "./authenticate.ts";

/** The parts of the service that tokens are valid for; the first one if a request names none. */
export const OAUTH_RESOURCES: readonly Resource[] = ["/mcp", "/api/v1"];

/** The path below BASE_URL of each place that an app calls. */
export const OAUTH_PATHS = {
  authorization: "/oauth/authorize",
  token: "/oauth/token",
  revocation: "/oauth/revoke",
  registration: "/oauth/register",
  /** The consent page; the id of the request follows. */
  consent: "/oauth/consent",
} as const;

/** Returns the authorization server metadata (RFC 8414). */
export function authorizationServerMetadata(base_url: string) {
  return {
    issuer: base_url,
    authorization_endpoint: `${base_url}${OAUTH_PATHS.authorization}`,
    token_endpoint: `${base_url}${OAUTH_PATHS.token}`,
    revocation_endpoint: `${base_url}${OAUTH_PATHS.revocation}`,
    registration_endpoint: `${base_url}${OAUTH_PATHS.registration}`,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    scopes_supported: APP_PERMISSIONS,
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${base_url}/docs`,
  };
}

/** Returns the protected resource metadata of a part of the service (RFC 9728). */
export function protectedResourceMetadata(base_url: string, resource: Resource) {
  return {
    resource: `${base_url}${resource}`,
    authorization_servers: [base_url],
    bearer_methods_supported: ["header"],
    scopes_supported: APP_PERMISSIONS,
    resource_name: "Letterslot",
    resource_documentation: `${base_url}/docs`,
  };
}

/** Returns the URL of a resource's metadata: the well-known path precedes the path of BASE_URL (RFC 9728, 3.1). */
export function protectedResourceUrl(base_url: string, resource: Resource): string {
  const { origin, pathname } = new URL(base_url);
  return `${origin}/.well-known/oauth-protected-resource${pathname.replace(/\/$/, "")}${resource}`;
}

/** The scope that a client without a token is told to request. */
export const OAUTH_DEFAULT_SCOPE: string = APP_DEFAULT_PERMISSIONS.join(" ");
