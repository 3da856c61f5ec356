import { type LetterslotError, PERMISSION_NAMES, type Resource } from "@letterslot/core";
import { DEFAULT_SCOPE, protectedResourceUrl } from "@letterslot/oauth";

/** The parts of the service that take an app's token, by the end of their path. */
const resourceAt = (path: string): Resource => (/\/mcp\/?$/.test(path) ? "/mcp" : "/api/v1");

/**
 * What WWW-Authenticate says: to whoever shows no valid credentials, where apps get tokens and what for
 * (RFC 9728, section 5.1); to an app without a permission, the one to ask a person for (RFC 6750, section 3.1).
 * Undefined for other errors.
 */
export function challengeOf(
  { kind, code, param }: Pick<LetterslotError, "kind" | "code" | "param">,
  base_url: string,
  path: string,
): string | undefined {
  const resource_metadata = `resource_metadata="${protectedResourceUrl(base_url, resourceAt(path))}"`;
  if (kind === "unauthenticated") return `Bearer ${resource_metadata}, scope="${DEFAULT_SCOPE}"`;
  const missing = PERMISSION_NAMES.find((name) => code === "permission_denied" && name === param);
  return missing === undefined
    ? undefined
    : `Bearer error="insufficient_scope", scope="${missing}", ${resource_metadata}`;
}
