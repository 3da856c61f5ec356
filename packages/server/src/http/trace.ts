import type { MiddlewareHandler } from "hono";
import type { Edge, ServerEnv } from "../request/context.ts";
import type { Metrics } from "./metrics.ts";
import { completeHeaders } from "./standard-headers.ts";

/** Asked for every few seconds by whoever watches the process: not worth a line each time. */
const unlogged = new Set(["/healthz", "/readyz", "/metrics"]);

/**
 * Gives every request its id, which its answer carries, counts it, and notes it in the log: its path without
 * the query, which may hold tokens.
 */
export function traceRequests(
  { letterslot, log }: Edge,
  metrics: Metrics | undefined,
): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const request_id = letterslot.parts.makeId("req");
    const began = performance.now();
    c.set("request_id", request_id);
    await next();
    completeHeaders(c);
    const took = performance.now() - began;
    metrics?.countRequest(c, took / 1000);
    const { method, path } = c.req;
    if (unlogged.has(path)) return;
    const duration_ms = Math.round(took);
    log.info({ request_id, method, path, status: c.res.status, duration_ms }, "request");
  };
}
