import type { MiddlewareHandler } from "hono";
import type { Edge, ServerEnv } from "./context.ts";
import { completeHeaders } from "./standard-headers.ts";

/** Asked for every few seconds by whoever watches the process: not worth a line each time. */
const unlogged = new Set(["/healthz", "/readyz", "/metrics"]);

/** Gives every request its id, which its answer carries, and notes it in the log: its path without the query, which may hold tokens. */
export function traceRequests({ letterslot, log }: Edge): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const request_id = letterslot.parts.makeId("req");
    const began = performance.now();
    c.set("request_id", request_id);
    await next();
    completeHeaders(c);
    if (unlogged.has(c.req.path)) return;
    const duration_ms = Math.round(performance.now() - began);
    log.info({ request_id, method: c.req.method, path: c.req.path, status: c.res.status, duration_ms }, "request");
  };
}
