import { LIMITS } from "@letterslot/core";
import { redirectKind } from "./redirect-uris.ts";

/** The stored part of an app's own description (RFC 7591). It never has a secret. */
export interface ClientMetadata {
  client_name?: string;
  redirect_uris: string[];
  application_type: "web" | "native";
  grant_types: ["authorization_code", "refresh_token"];
  response_types: ["code"];
  token_endpoint_auth_method: "none";
}

/** Why a description can't be taken, as RFC 7591, section 3.2.2, names it. */
export interface MetadataRefusal {
  error: "invalid_redirect_uri" | "invalid_client_metadata";
  error_description: string;
}

/**
 * Reads an app's description: its name and the destinations of its answers. Whatever else it asks for, it is a public
 * client that gets codes and refresh tokens.
 */
export function readClientMetadata(given: unknown): ClientMetadata | MetadataRefusal {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return refused("invalid_client_metadata", "The description must be a JSON object.");
  const { client_name, redirect_uris } = given as Record<string, unknown>;
  if (!Array.isArray(redirect_uris) || redirect_uris.length === 0)
    return refused("invalid_redirect_uri", "redirect_uris must name at least one address.");
  if (redirect_uris.length > LIMITS.oauth_redirect_uris)
    return refused(
      "invalid_redirect_uri",
      `redirect_uris has more than ${LIMITS.oauth_redirect_uris} addresses.`,
    );
  const kinds = redirect_uris.map((uri) => (typeof uri === "string" ? redirectKind(uri) : undefined));
  if (kinds.includes(undefined)) return refused("invalid_redirect_uri", ALLOWED);
  const name = client_name === undefined ? "" : nameOf(client_name);
  if (name === undefined)
    return refused(
      "invalid_client_metadata",
      `client_name must be one line of at most ${LIMITS.oauth_client_name_chars} characters.`,
    );
  return {
    ...(name === "" ? {} : { client_name: name }),
    redirect_uris: [...new Set(redirect_uris as string[])],
    application_type: kinds.includes("native") ? "native" : "web",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
}

const ALLOWED =
  "A redirect URI must be https, http on localhost, 127.0.0.1 or [::1], or have an app's scheme with a dot in it, such as com.example.app:/done.";

const refused = (error: MetadataRefusal["error"], error_description: string): MetadataRefusal => ({
  error,
  error_description,
});

function nameOf(given: unknown): string | undefined {
  if (typeof given !== "string" || given.length > LIMITS.oauth_client_name_chars) return undefined;
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(given) ? undefined : given.trim();
}
