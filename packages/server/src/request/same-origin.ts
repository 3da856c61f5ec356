import { fail } from "@letterslot/core/ports";
import type { ServerContext, ServerState } from "./context.ts";
import { requestHeader } from "./request-header.ts";

/** Methods that change nothing (RFC 9110, 9.2.1). */
const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * The headers that only browsers send, and that no page can set or leave out. `Sec-Fetch-Mode` alone is none of
 * them: Node's own fetch sends it too.
 */
const BROWSER_HEADERS = ["sec-fetch-site", "sec-fetch-dest", "sec-fetch-user", "origin"];

/** Whether a browser sent the request. */
export const isBrowser = (c: ServerContext): boolean =>
  BROWSER_HEADERS.some((name) => requestHeader(c, name) !== undefined);

/**
 * Checks a request that makes a session or a challenge, before anything happens: a page of another origin must not
 * sign its visitor in as somebody else. Programs that aren't browsers pass. Fails with `cross_site_request`.
 */
export function checkSameOrigin(c: ServerContext, state: ServerState): void {
  if (isBrowser(c)) checkOwnPage(c, state);
}

/**
 * Checks a request that acts by a session's cookie. A browser sends the cookie from any page, so a change needs the
 * browser's assurance that the page is ours: `Sec-Fetch-Site: same-origin`, or from a browser that sends none, an
 * `Origin` equal to BASE_URL's. Fails with `cross_site_request`.
 */
export function checkOwnPage(c: ServerContext, state: ServerState): void {
  if (SAFE_METHODS.has(c.req.method)) return;
  const site = requestHeader(c, "sec-fetch-site");
  const own = site === undefined ? requestHeader(c, "origin") === ownOrigin(state) : site === "same-origin";
  if (!own) throw fail("cross_site_request");
}

/** Whether a script of another origin reads (browsers name it in `Origin`): CORS never opens the cookie's door. */
export function isReadElsewhere(c: ServerContext, state: ServerState): boolean {
  const origin = requestHeader(c, "origin");
  return SAFE_METHODS.has(c.req.method) && origin !== undefined && origin !== ownOrigin(state);
}

const ownOrigin = ({ letterslot }: ServerState): string =>
  new URL(letterslot.services.options.baseUrl).origin;
