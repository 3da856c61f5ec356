import { CliError, EXIT } from "../frame/exit.ts";
import { changeConfig, type OAuthTokens, type Profile, readConfig } from "./config-file.ts";

/** An authorization server's metadata (RFC 8414), as far as a login needs it. */
export interface AuthorizationServer {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  registration_endpoint: string;
  revocation_endpoint?: string;
  scopes_supported?: string[];
}

/** An access token is renewed so long before it ends. */
const RENEW_AHEAD_MS = 60_000;
const TIMEOUT_MS = 20_000;

/** Finds the authorization server of a Letterslot server. Throws `CliError`, also if the server admits no apps. */
export async function discover(base_url: string, signal: AbortSignal): Promise<AuthorizationServer> {
  const response = await send(`${base_url}/.well-known/oauth-authorization-server`, { signal });
  if (response.status === 404)
    throw new CliError(`${base_url} lets no apps in.`, {
      exit: EXIT.refused,
      fix: "Install @letterslot/oauth beside the server, or use a key: letterslot init, or LETTERSLOT_API_KEY.",
    });
  const found = await readAnswer(response);
  const { issuer, authorization_endpoint, token_endpoint, registration_endpoint } = found;
  const needed = [issuer, authorization_endpoint, token_endpoint, registration_endpoint];
  if (!response.ok || !needed.every((each) => typeof each === "string"))
    throw new CliError(`${base_url} is not a Letterslot server.`, {
      exit: EXIT.unreachable,
      fix: "Check --url.",
    });
  // A server under another name would get the requests meant for this one (RFC 8414, section 3.3).
  if (issuer !== base_url)
    throw new CliError(`The server at ${base_url} is called ${String(issuer)}.`, {
      exit: EXIT.refused,
      fix: `Log in with --url ${String(issuer)}, or set BASE_URL of the server.`,
    });
  return found as unknown as AuthorizationServer;
}

/** Registers this program with a server, with the addresses to which the browser may return. */
export async function register(
  { registration_endpoint }: AuthorizationServer,
  redirect_uris: string[],
  signal: AbortSignal,
): Promise<string> {
  const body = { client_name: "Letterslot CLI", redirect_uris, token_endpoint_auth_method: "none" };
  const response = await send(registration_endpoint, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
  const { client_id, ...refusal } = await readAnswer(response);
  if (response.ok && typeof client_id === "string") return client_id;
  throw refused("The server doesn't register this program", refusal);
}

/** A request to a token endpoint: for a code's tokens, or for newer ones. */
export type TokenRequest = { client_id: string; token_url: string; revoke_url: string | null } & (
  | { code: string; redirect_uri: string; code_verifier: string; resource: string }
  | { refresh_token: string }
);

/** Asks for tokens. Throws `CliError`; with `invalid_grant` the login has ended. */
export async function requestTokens(request: TokenRequest, signal?: AbortSignal): Promise<OAuthTokens> {
  const { token_url, revoke_url, ...parameters } = request;
  const grant_type = "code" in parameters ? "authorization_code" : "refresh_token";
  const response = await send(token_url, {
    method: "POST",
    body: new URLSearchParams({ grant_type, ...parameters }),
    ...(signal === undefined ? {} : { signal }),
  });
  const { access_token, refresh_token, expires_in, scope, ...refusal } = await readAnswer(response);
  if (!response.ok || typeof access_token !== "string") throw refused("The server gives no access", refusal);
  return {
    client_id: request.client_id,
    token_url,
    revoke_url,
    access_token,
    refresh_token: typeof refresh_token === "string" ? refresh_token : null,
    expires_at: Date.now() + (typeof expires_in === "number" ? expires_in : 0) * 1000,
    scope: typeof scope === "string" ? scope : "",
  };
}

/**
 * A profile's access token, renewed when it is about to end. Processes renew it one at a time: a refresh token that is
 * used twice ends the login.
 */
export async function accessToken(env: NodeJS.ProcessEnv, name: string): Promise<string> {
  const known = readConfig(env).profiles[name]?.oauth;
  if (known !== undefined && isFresh(known)) return known.access_token;
  const { profiles } = await changeConfig(env, async (config) => {
    const profile = config.profiles[name];
    if (profile?.oauth === undefined) throw ended(name);
    if (isFresh(profile.oauth)) return config;
    const oauth = await renewed(profile.oauth, name);
    return { ...config, profiles: { ...config.profiles, [name]: { ...profile, oauth } } };
  });
  return profiles[name]?.oauth?.access_token ?? "";
}

const isFresh = ({ expires_at }: OAuthTokens): boolean => expires_at - Date.now() > RENEW_AHEAD_MS;

async function renewed(tokens: OAuthTokens, name: string): Promise<OAuthTokens> {
  const { client_id, token_url, revoke_url, refresh_token } = tokens;
  if (refresh_token === null) throw ended(name);
  try {
    const { scope, ...newer } = await requestTokens({ client_id, token_url, revoke_url, refresh_token });
    return {
      ...newer,
      scope: scope === "" ? tokens.scope : scope,
      refresh_token: newer.refresh_token ?? refresh_token,
    };
  } catch (error) {
    throw error instanceof CliError && error.code === "invalid_grant" ? ended(name) : error;
  }
}

const ended = (name: string) =>
  new CliError(`The login of profile ${JSON.stringify(name)} has ended.`, {
    exit: EXIT.refused,
    fix: `Run letterslot login --profile ${name} again.`,
  });

/** Revokes a login's tokens at the server. Returns whether the server accepted. */
export async function revoke({ oauth }: Profile): Promise<boolean> {
  if (oauth?.revoke_url == null) return false;
  const token = oauth.refresh_token ?? oauth.access_token;
  const response = await send(oauth.revoke_url, {
    method: "POST",
    body: new URLSearchParams({ client_id: oauth.client_id, token }),
  });
  return response.ok;
}

async function send(url: string, init: RequestInit): Promise<Response> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = init.signal == null ? timeout : AbortSignal.any([init.signal, timeout]);
  try {
    return await fetch(url, { ...init, signal, redirect: "error" });
  } catch (cause) {
    throw new CliError("The server could not be reached.", {
      exit: EXIT.unreachable,
      fix: "Check the address (--url, LETTERSLOT_URL) and that the server runs: letterslot serve.",
      cause,
    });
  }
}

async function readAnswer(response: Response): Promise<Record<string, unknown>> {
  try {
    return (await response.json()) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function refused(what: string, { error, error_description }: Record<string, unknown>): CliError {
  const words = [error_description, error].find((each) => typeof each === "string");
  const code = typeof error === "string" ? { code: error } : {};
  return new CliError(words === undefined ? `${what}.` : `${what}: ${words}`, {
    exit: EXIT.refused,
    fix: "Begin again with letterslot login.",
    ...code,
  });
}
