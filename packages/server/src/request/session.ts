import { fail, isId, LIMITS, type OwnerCaller, operationNamed, type Person } from "@letterslot/core";
import { parse } from "hono/utils/cookie";
import type { ServerContext, ServerState } from "./context.ts";
import { requestHeader } from "./request-header.ts";

/** The cookies of a person: the session, the attempt to sign in, and the browser that signed in before. */
const COOKIES = {
  session: { name: "ls_session", max_age_ms: LIMITS.session_longest_ms },
  challenge: { name: "ls_challenge", max_age_ms: LIMITS.session_challenge_ms },
  browser: { name: "ls_browser", max_age_ms: LIMITS.remembered_browser_ms },
} as const;

type CookieKind = keyof typeof COOKIES;

/** Methods that change nothing (RFC 9110, 9.2.1). */
const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Over https a cookie's prefix keeps it to this very host (RFC 6265bis, 4.1.3.2). */
const nameOf = (state: ServerState, kind: CookieKind): string =>
  isHttps(state) ? `__Host-${COOKIES[kind].name}` : COOKIES[kind].name;

const isHttps = ({ letterslot }: ServerState): boolean =>
  letterslot.services.options.base_url.startsWith("https:");

/** The value of one of a person's cookies. */
export function readCookie(c: ServerContext, state: ServerState, kind: CookieKind): string | undefined {
  const header = requestHeader(c, "cookie");
  if (header === undefined) return undefined;
  const name = nameOf(state, kind);
  return parse(header, name)[name] || undefined;
}

/** Sets one of a person's cookies, which no script can read; an empty value removes it. */
export function writeCookie(c: ServerContext, state: ServerState, kind: CookieKind, value: string): void {
  const age = value === "" ? 0 : Math.floor(COOKIES[kind].max_age_ms / 1000);
  const secure = isHttps(state) ? "; Secure" : "";
  c.header(
    "Set-Cookie",
    `${nameOf(state, kind)}=${value}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`,
    { append: true },
  );
}

/**
 * The person whose session's cookie a request carries; undefined without a live one, and for a page of
 * another origin that reads. A request that changes something must come from this site's own pages. Fails with
 * `cross_site_request`.
 */
export async function personOf(c: ServerContext, state: ServerState): Promise<Person | undefined> {
  const token = readCookie(c, state, "session");
  if (token === undefined || isReadElsewhere(c, state)) return undefined;
  const person = await state.letterslot.authenticateSession(token, state.clientAddress(c));
  if (person !== undefined) checkSameSite(c, state);
  return person;
}

/** Whether a script of another origin reads (browsers name it in `Origin`): CORS never opens the cookie's door. */
function isReadElsewhere(c: ServerContext, state: ServerState): boolean {
  const origin = requestHeader(c, "origin");
  return SAFE_METHODS.has(c.req.method) && origin !== undefined && origin !== ownOrigin(state);
}

const ownOrigin = ({ letterslot }: ServerState): string =>
  new URL(letterslot.services.options.base_url).origin;

/**
 * A cookie is sent along whoever wrote the page, so a change needs the browser's word that the page is ours:
 * `Sec-Fetch-Site: same-origin`, or where a client sends none, an `Origin` equal to BASE_URL's. Fails with
 * `cross_site_request`.
 */
export function checkSameSite(c: ServerContext, state: ServerState): void {
  if (SAFE_METHODS.has(c.req.method)) return;
  const site = requestHeader(c, "sec-fetch-site");
  const same = site === undefined ? requestHeader(c, "origin") === ownOrigin(state) : site === "same-origin";
  if (!same) throw fail("cross_site_request");
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
