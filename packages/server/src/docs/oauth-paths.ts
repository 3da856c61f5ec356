import {
  authorizationServerMetadata,
  OAUTH_DEFAULT_SCOPE,
  OAUTH_PATHS,
  protectedResourceMetadata,
} from "@letterslot/core/internal";
import type { DocumentedOperation, OpenApiDocument, Parameter } from "./document.ts";
import { PAGE } from "./openapi/responses.ts";
import type { Components, Schema } from "./schemas.ts";

type Fields = Record<string, Schema>;

const text = (description: string): Schema => ({ type: "string", description });
const texts = (description: string): Schema => ({ type: "array", items: { type: "string" }, description });

const CLIENT_ID = "https://app.example/client.json";
const CALLBACK = "https://app.example/callback";
const RESOURCES = "Whose tokens they are: `BASE_URL/mcp` by default, or `BASE_URL/api/v1`.";
const WITHOUT_IT = "404 while the server has no authorization server.";

/** The schemas that several answers of the authorization server share, by name. */
export const OAUTH_SCHEMAS: Components = {
  OAuthError: {
    type: "object",
    properties: {
      error: text("The code of the error, such as `invalid_grant` (RFC 6749, RFC 7591)."),
      error_description: text("What went wrong, in a sentence."),
    },
    required: ["error"],
  },
  OAuthProtectedResource: {
    type: "object",
    properties: {
      resource: text("The address that tokens must be for."),
      authorization_servers: texts("Who gives tokens for it."),
      scopes_supported: texts("The permissions that an app may ask for."),
    },
    required: ["resource", "authorization_servers"],
  },
};

/** The paths by which apps find the authorization server, register, and get and end their tokens. */
export function oauthPaths(base_url: string): OpenApiDocument["paths"] {
  return {
    "/.well-known/oauth-authorization-server": { get: serverMetadata(base_url) },
    "/.well-known/oauth-protected-resource/api/v1": { get: resourceMetadata(base_url, "/api/v1") },
    "/.well-known/oauth-protected-resource/mcp": { get: resourceMetadata(base_url, "/mcp") },
    [OAUTH_PATHS.registration]: { post: registration(base_url) },
    [OAUTH_PATHS.authorization]: { get: authorization(base_url) },
    [OAUTH_PATHS.token]: { post: token(base_url) },
    [OAUTH_PATHS.revocation]: { post: revocation(base_url) },
  };
}

/** Adds the properties that all of them share; `curl` is the command without its first word. */
function described(
  call: Pick<DocumentedOperation, "operationId" | "summary" | "description" | "responses"> &
    Partial<Pick<DocumentedOperation, "parameters" | "requestBody">> & { curl: string },
): DocumentedOperation {
  const { curl, description, ...rest } = call;
  return {
    parameters: [],
    ...rest,
    description: `${description} ${WITHOUT_IT}`,
    tags: ["oauth"],
    security: [{}],
    "x-errors": ["route_not_found"],
    "x-codeSamples": [{ lang: "Shell", label: "curl", source: `curl ${curl}` }],
  };
}

const answer = (description: string, properties: Fields, example: unknown) => ({
  description,
  content: { "application/json": { schema: { type: "object", properties } as Schema, example } },
});

const refused = (error: string, error_description: string) => ({
  description: "An error in the form of OAuth.",
  content: {
    "application/json": {
      schema: { $ref: "#/components/schemas/OAuthError" },
      example: { error, error_description },
    },
  },
});

const serverMetadata = (base_url: string): DocumentedOperation =>
  described({
    operationId: "oauth.server",
    summary: "Says what the authorization server is and can do (RFC 8414).",
    description: "An app looks here for where it registers and where it sends the person.",
    curl: `${base_url}/.well-known/oauth-authorization-server`,
    responses: {
      "200": answer(
        "The addresses of the authorization server.",
        {
          issuer: text("The issuer, which is BASE_URL."),
          authorization_endpoint: text("Where the app sends the person's browser."),
          token_endpoint: text("Where the app gets its tokens."),
          revocation_endpoint: text("Where the app ends its access."),
          registration_endpoint: text("Where the app registers."),
          scopes_supported: texts("The permissions that an app may ask for."),
          code_challenge_methods_supported: texts("Always `S256` alone."),
          client_id_metadata_document_supported: {
            type: "boolean",
            description: "Whether a client id may be the https address of the app's description.",
          },
        },
        authorizationServerMetadata(base_url),
      ),
    },
  });

const resourceMetadata = (base_url: string, resource: "/mcp" | "/api/v1"): DocumentedOperation =>
  described({
    operationId: `oauth.resource.${resource.split("/")[1] ?? ""}`,
    summary: `Says whose tokens ${resource} takes (RFC 9728).`,
    description: `An app without a token was answered 401 by ${resource}, with this address in WWW-Authenticate.`,
    curl: `${base_url}/.well-known/oauth-protected-resource${resource}`,
    responses: {
      "200": {
        description: "The resource and its authorization server.",
        content: {
          "application/json": {
            schema: { $ref: "#/components/schemas/OAuthProtectedResource" },
            example: protectedResourceMetadata(base_url, resource),
          },
        },
      },
    },
  });

const registration = (base_url: string): DocumentedOperation => {
  const metadata: Fields = {
    client_name: text("What the app calls itself, as the person is shown it."),
    redirect_uris: texts("Where the person's browser may go back to."),
  };
  const example = { client_name: "Desk", redirect_uris: [CALLBACK] };
  return described({
    operationId: "oauth.register",
    summary: "Registers an app (RFC 7591); it has no secret. 20 an hour from one address.",
    description: "An app has no client id yet, and no description of itself at an https address.",
    curl: `-X POST ${base_url}${OAUTH_PATHS.registration} \\\n  -H "Content-Type: application/json" \\\n  -d '${JSON.stringify(example)}'`,
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: { type: "object", properties: metadata, required: ["redirect_uris"] },
          example,
        },
      },
    },
    responses: {
      "201": answer(
        "The app's client id. Without a grant it is deleted after a day.",
        {
          client_id: text("The client id to ask for access with."),
          client_id_issued_at: { type: "integer", description: "When it was issued, in Unix seconds." },
          ...metadata,
          token_endpoint_auth_method: text("Always `none`: apps have no secret."),
        },
        {
          client_id: "cli_01kab3x9t2m4v6w8y0z5",
          client_id_issued_at: 1_767_225_600,
          ...example,
          token_endpoint_auth_method: "none",
        },
      ),
      "400": refused("invalid_redirect_uri", "A redirect URI is https, or http on this machine."),
    },
  });
};

const parameter = (name: string, description: string, required = true): Parameter => ({
  name,
  in: "query",
  required,
  description,
  schema: { type: "string" },
});

const authorization = (base_url: string): DocumentedOperation =>
  described({
    operationId: "oauth.authorize",
    summary: "Asks a person in their browser whether the app may have access, and sends it back with a code.",
    description: "An app needs access, or more of it than it has: the person is asked each time.",
    curl: `-i '${base_url}${OAUTH_PATHS.authorization}?response_type=code&client_id=…&redirect_uri=…&state=…&code_challenge=…&code_challenge_method=S256'`,
    parameters: [
      parameter("response_type", "Always `code`."),
      parameter("client_id", "The app's client id, or the https address of its description."),
      parameter("redirect_uri", "One of the app's redirect URIs, where the code goes."),
      parameter("code_challenge", "The challenge of PKCE (RFC 7636)."),
      parameter("code_challenge_method", "Always `S256`."),
      parameter("state", "The app's own mark of the request, which comes back with the answer.", false),
      parameter(
        "scope",
        `What to ask for, as permission names; by default \`${OAUTH_DEFAULT_SCOPE}\`.`,
        false,
      ),
      parameter("resource", RESOURCES, false),
    ],
    responses: {
      "303": { description: "To the page on which the person is asked; errors go to the redirect URI." },
      "400": { description: "A page that says why the app can't be let in.", content: PAGE },
    },
  });

const form = (fields: Fields, required: string[]): NonNullable<DocumentedOperation["requestBody"]> => ({
  required: true,
  content: {
    "application/x-www-form-urlencoded": { schema: { type: "object", properties: fields, required } },
  },
});

const token = (base_url: string): DocumentedOperation =>
  described({
    operationId: "oauth.token",
    summary: "Gives an access token for an hour and a refresh token for 30 days.",
    description: "The app has a code, or a refresh token: each is good once.",
    curl: `-X POST ${base_url}${OAUTH_PATHS.token} \\\n  -d grant_type=authorization_code -d code=… -d code_verifier=… \\\n  -d client_id=${CLIENT_ID} -d redirect_uri=${CALLBACK}`,
    requestBody: form(
      {
        grant_type: text("Either `authorization_code` or `refresh_token`."),
        client_id: text("The app's client id."),
        code: text("The code of the redirect URI; good once, for 60 seconds."),
        code_verifier: text("The verifier whose challenge was sent (PKCE)."),
        redirect_uri: text("The redirect URI that the code was sent to."),
        refresh_token: text("The newest refresh token; each use replaces it."),
        resource: text(RESOURCES),
      },
      ["grant_type", "client_id"],
    ),
    responses: {
      "200": answer(
        "The tokens.",
        {
          access_token: text("The access token, for the Authorization header."),
          token_type: text("Always `Bearer`."),
          expires_in: { type: "integer", description: "How long it works, in seconds." },
          refresh_token: text("Gets the next access token; it replaces the one that was sent."),
          scope: text("What the person allowed, as permission names."),
        },
        {
          access_token: "ls_oat_…",
          token_type: "Bearer",
          expires_in: 3600,
          refresh_token: "ls_ort_…",
          scope: "inbox_read message_read",
        },
      ),
      "400": refused("invalid_grant", "grant request is invalid"),
    },
  });

const revocation = (base_url: string): DocumentedOperation =>
  described({
    operationId: "oauth.revoke",
    summary: "Ends an app's access at once: the token that is named, and all that came of the same grant.",
    description: "A person disconnects the app on the app's own side.",
    curl: `-X POST ${base_url}${OAUTH_PATHS.revocation} -d token=… -d client_id=${CLIENT_ID}`,
    requestBody: form(
      {
        token: text("The access token or the refresh token."),
        client_id: text("The app's client id."),
      },
      ["token", "client_id"],
    ),
    responses: {
      "200": { description: "The access has ended, or there was none." },
      "400": refused("invalid_request", "missing required parameter(s) (token)"),
    },
  });
