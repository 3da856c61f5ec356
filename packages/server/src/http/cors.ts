import type { MiddlewareHandler } from "hono";
import type { ServerEnv } from "../request/context.ts";
import { requestHeader } from "../request/request-header.ts";

/** Any origin: a page of any site may call the API with a key that it holds. */
const ANY = "*";

const METHODS = "GET, POST, PATCH, DELETE";

/** The headers that pages of another origin may send, and read in answers. */
interface AllowedHeaders {
  request: string;
  answer: string;
}

const API_HEADERS: AllowedHeaders = {
  request: "authorization, content-type, idempotency-key, last-event-id, x-letterslot-workspace",
  answer:
    "content-disposition, idempotent-replayed, retry-after, x-request-id, x-svc-redacted, x-svc-text-empty, x-svc-text-truncated",
};

/** The time that browsers may cache a preflight's answer, in seconds. */
const PREFLIGHT_SECONDS = 600;

/**
 * Lets pages of the given origins read answers (Fetch standard, "CORS protocol"). Never with credentials: a
 * page of another origin calls with an API key, and a person's cookie does nothing there.
 */
export function allowOrigins(
  origins: readonly string[],
  headers: AllowedHeaders = API_HEADERS,
): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const origin = requestHeader(c, "origin");
    const granted = origin !== undefined && isGranted(origins, origin) ? origin : undefined;
    if (c.req.method === "OPTIONS" && requestHeader(c, "access-control-request-method") !== undefined) {
      if (granted === undefined) return next();
      return c.body(null, 204, {
        ...grant(granted),
        "Access-Control-Allow-Methods": METHODS,
        "Access-Control-Allow-Headers": headers.request,
        "Access-Control-Max-Age": String(PREFLIGHT_SECONDS),
      });
    }
    await next();
    if (granted === undefined) {
      c.res.headers.append("Vary", "Origin");
      return;
    }
    for (const [name, value] of Object.entries(grant(granted))) c.res.headers.set(name, value);
    c.res.headers.set("Access-Control-Expose-Headers", headers.answer);
  };
}

/** Whether an origin is among the granted ones. */
export const isGranted = (origins: readonly string[], origin: string): boolean =>
  origins.includes(ANY) || origins.includes(origin);

const grant = (origin: string): Record<string, string> => ({
  "Access-Control-Allow-Origin": origin,
  Vary: "Origin",
});
