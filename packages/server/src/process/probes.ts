import type { Letterslot, Log } from "@letterslot/core";
import { Hono } from "hono";
import { mountHealth } from "../http/health.ts";
import type { Metrics } from "../http/metrics.ts";
import type { ServerEnv } from "../request/context.ts";

/**
 * What a process that serves no requests tells of itself: `/healthz`, `/readyz` and `/metrics`, nothing else.
 */
export function createProbes(options: {
  letterslot: Letterslot;
  log: Log;
  metrics: Metrics;
  degraded(): readonly string[];
  stopping: AbortSignal;
}): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  mountHealth(app, options);
  options.metrics.mount(app);
  return app;
}
