import { LIMITS, type OwnerCaller, type Person } from "@letterslot/core";
import { isId, operationNamed } from "@letterslot/core/internal";
import { parse } from "hono/utils/cookie";
import type { ServerContext, ServerState } from "./context.ts";
import { requestHeader } from "./request-header.ts";
import { checkOwnPage, checkSameOrigin, isReadElsewhere } from "./same-origin.ts";

/** The cookies of a person: the session, the attempt to sign in, and the browser that signed in before. */
const COOKIES = {
  session: { name: "ls_session", max_age_ms: LIMITS.session_longest_ms },
  challenge: { name: "ls_challenge", max_age_ms: LIMITS.session_challenge_ms },
  browser: { name: "ls_browser", max_age_ms: LIMITS.remembered_browser_ms },
} as const;

type CookieKind = keyof typeof COOKIES;

/** Over https a cookie's prefix keeps it to this very host (RFC 6265bis, 4.1.3.2). */
const nameOf = (state: ServerState, kind: CookieKind): string =>
  isHttps(state) ? `__Host-${COOKIES[kind].name}` : COOKIES[kind].name;

const isHttps = ({ letterslot }: ServerState): boolean =>
  letterslot.services.options.baseUrl.startsWith("https:");

/** The value of one of a person's cookies. */
export function readCookie(c: ServerContext, state: ServerState, kind: CookieKind): string | undefined {
  const header = requestHeader(c, "cookie");
  if (header === undefined) return undefined;
  const name = nameOf(state, kind);
  return parse(header, name)[name] || undefined;
}

/**
 * Sets one of a person's cookies, which no script can read; an empty value removes it. Fails with
 * `cross_site_request` where a page of another origin asks.
 */
export function writeCookie(c: ServerContext, state: ServerState, kind: CookieKind, value: string): void {
  checkSameOrigin(c, state);
  const age = value === "" ? 0 : Math.floor(COOKIES[kind].max_age_ms / 1000);
  const secure = isHttps(state) ? "; Secure" : "";
  c.header(
    "Set-Cookie",
    `${nameOf(state, kind)}=${value}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`,
    { append: true },
  );
}

/**
 * Returns the person whose session cookie a request carries; undefined without a live one, and for a read by a page of
 * another origin. A request that changes something must come from this site's own pages. Fails with
 * `cross_site_request`.
 */
export async function personOf(c: ServerContext, state: ServerState): Promise<Person | undefined> {
  const token = readCookie(c, state, "session");
  if (token === undefined || isReadElsewhere(c, state)) return undefined;
  const person = await state.letterslot.authenticateSession(token, state.clientAddress(c));
  if (person !== undefined) checkOwnPage(c, state);
  return person;
}

/** Names the workspace that a call is to act within. */
export const WORKSPACE_HEADER = "x-letterslot-workspace";

/** A signed-in person as the caller of an operation, in the account of the path's inbox or of the header. */
export async function ownerCallerOf(
  c: ServerContext,
  { letterslot }: ServerState,
  person: Person,
  name: string,
): Promise<OwnerCaller> {
  const { scope, in_account } = operationNamed(name);
  if (scope === "public" && in_account !== true) return letterslot.callerFor(person, name, {});
  const inbox_id = c.req.param("inbox_id");
  const account_id = requestHeader(c, "x-letterslot-account");
  return letterslot.callerFor(person, name, {
    account_id,
    workspace_id: requestHeader(c, WORKSPACE_HEADER),
    inbox_id: inbox_id !== undefined && isId("inb", inbox_id) ? inbox_id : undefined,
  });
}
