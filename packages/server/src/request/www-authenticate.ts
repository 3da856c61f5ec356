import { type LetterslotError, PERMISSION_NAMES, type Permission, type Resource } from "@letterslot/core";
import { OAUTH_DEFAULT_SCOPE, protectedResourceUrl } from "@letterslot/core/internal";

/** The facts about the service that errors tell a program. */
export interface Site {
  base_url: string;
  /** It has an authorization server, where apps get in. */
  lets_apps_in: boolean;
}

/** The parts of the service that take an app's token, by the end of their path. */
const resourceAt = (path: string): Resource => (/\/mcp\/?$/.test(path) ? "/mcp" : "/api/v1");

/**
 * Returns the WWW-Authenticate header. Without valid credentials, it names where to get tokens and for which resource,
 * if apps are admitted at all (RFC 9728, section 5.1); for an app that lacks a permission, it names the one to ask a
 * person for (RFC 6750, section 3.1). Undefined for other errors.
 */
export function challengeOf(
  { kind, code, param }: Pick<LetterslotError, "kind" | "code" | "param">,
  { base_url, lets_apps_in }: Site,
  path: string,
  granted: readonly Permission[] = [],
): string | undefined {
  const resource_metadata = lets_apps_in
    ? [`resource_metadata="${protectedResourceUrl(base_url, resourceAt(path))}"`]
    : [];
  if (kind === "unauthenticated")
    return bearer(lets_apps_in ? [...resource_metadata, `scope="${OAUTH_DEFAULT_SCOPE}"`] : []);
  const missing = PERMISSION_NAMES.find((name) => code === "permission_denied" && name === param);
  return missing === undefined
    ? undefined
    : bearer([
        `error="insufficient_scope"`,
        `scope="${[...granted, missing].join(" ")}"`,
        ...resource_metadata,
      ]);
}

const bearer = (words: string[]): string => `Bearer ${words.join(", ")}`.trim();
