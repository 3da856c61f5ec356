import {
  type LetterslotError,
  OAUTH_DEFAULT_SCOPE,
  PERMISSION_NAMES,
  type Permission,
  protectedResourceUrl,
  type Resource,
} from "@letterslot/core";

/** What errors tell a program of the service. */
export interface Site {
  base_url: string;
  /** It has an authorization server, where apps get in. */
  lets_apps_in: boolean;
}

/** The parts of the service that take an app's token, by the end of their path. */
const resourceAt = (path: string): Resource => (/\/mcp\/?$/.test(path) ? "/mcp" : "/api/v1");

/**
 * What WWW-Authenticate says: to whoever shows no valid credentials, where apps get tokens and what for, if they
 * get in at all (RFC 9728, section 5.1); to an app without a permission, the one to ask a person for (RFC 6750,
 * section 3.1). Undefined for other errors.
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
