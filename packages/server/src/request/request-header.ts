import type { IncomingHttpHeaders } from "node:http";
import type { Context } from "hono";

/** Set by `listenHttp` on each request that it passes straight from Node to this app. */
export const STANDALONE = { standalone: true };

/**
 * Whether the request came straight from Node, so that Node's own request and response objects can be used.
 * Inside another app either may have been changed on its way.
 */
export function isStandalone(c: Pick<Context, "env">): boolean {
  return ((c.env ?? {}) as Partial<typeof STANDALONE>).standalone === true;
}

const PROXY_HEADERS = /^(forwarded|via|x-real-ip|x-forwarded-.*)$/;

/** Whether a proxy passed the request on, by the headers that proxies add. */
export function isForwarded(c: Pick<Context, "env" | "req">): boolean {
  const names = isStandalone(c)
    ? Object.keys((c.env as { incoming: { headers: IncomingHttpHeaders } }).incoming.headers)
    : [...c.req.raw.headers.keys()];
  return names.some((name) => PROXY_HEADERS.test(name));
}

/** The call options that a request's headers carry. */
export function callOptionsOf(c: Pick<Context, "env" | "req">): { idempotencyKey?: string } {
  const idempotency_key = requestHeader(c, "idempotency-key");
  return idempotency_key === undefined ? {} : { idempotencyKey: idempotency_key };
}

const MAX_USER_AGENT_CHARS = 1_000;

/** Returns the browser's user agent as an input; an empty object when it sends none. */
export function userAgentOf(c: Pick<Context, "env" | "req">): { user_agent?: string } {
  const user_agent = requestHeader(c, "user-agent")?.slice(0, MAX_USER_AGENT_CHARS);
  return user_agent === undefined ? {} : { user_agent };
}

/**
 * A request header by its lower-case name. A standalone request's is read from Node's parsed headers:
 * building a web `Headers` object costs more than the rest of a small request.
 */
export function requestHeader(c: Pick<Context, "env" | "req">, name: string): string | undefined {
  if (!isStandalone(c)) return c.req.header(name);
  const { incoming } = c.env as { incoming: { headers: IncomingHttpHeaders } };
  const value = incoming.headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}
