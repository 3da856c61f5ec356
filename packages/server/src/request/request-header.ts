import type { IncomingHttpHeaders } from "node:http";
import type { Context } from "hono";
import type { ServerContext } from "./context.ts";

/**
 * Said by `listenHttp` of each request: it goes from Node's parser to this app, and its answer back, with
 * nobody in between.
 */
export const untouched = { untouched: true };

/**
 * Whether a request is as Node read it. In another app it may have been changed on its way, and its answer
 * too.
 */
export function isUntouched(c: Pick<Context, "env">): boolean {
  return ((c.env ?? {}) as Partial<typeof untouched>).untouched === true;
}

/**
 * A header of the request by its name in small letters. An untouched request's is read where Node's parser
 * put it: making the web's Headers of all of them costs more than the rest of a small request.
 */
export function requestHeader(c: Pick<ServerContext, "env" | "req">, name: string): string | undefined {
  if (!isUntouched(c)) return c.req.header(name);
  const { incoming } = c.env as { incoming: { headers: IncomingHttpHeaders } };
  const value = incoming.headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}
