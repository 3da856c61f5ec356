import type { ReceivedMail, ReceiveReport } from "@letterslot/core";
import type { Hono } from "hono";
import { matchedRoutes } from "hono/route";
import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import type { ServerContext, ServerEnv } from "../request/context.ts";
import { directOnly } from "../request/direct-only.ts";

/** What the process counts, for Prometheus. Labels hold routes and outcomes, never addresses. */
export interface Metrics {
  /** Counts a request that was answered. */
  countRequest(c: ServerContext, seconds: number): void;
  /** Takes in mail, counting what became of it: drops that a sender can't see are seen here. */
  countInbound(
    receive: (mail: ReceivedMail) => Promise<ReceiveReport>,
  ): (mail: ReceivedMail) => Promise<ReceiveReport>;
  mount(app: Hono<ServerEnv>): void;
}

const secondsBuckets = [0.005, 0.02, 0.1, 0.5, 2, 10, 30, 60];

/** Counters of their own registry, so that two servers in one process don't mix. */
export function createMetrics(): Metrics {
  const registers = [new Registry()];
  const [registry] = registers as [Registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: "letterslot_http_request_seconds",
    help: "Time that requests took.",
    labelNames: ["method", "route", "status"],
    buckets: secondsBuckets,
    registers,
  });
  const inbound = new Counter({
    name: "letterslot_inbound_recipients_total",
    help: "What became of mail that came in, per recipient.",
    labelNames: ["origin", "outcome", "reason"],
    registers,
  });
  const byLabels = new Map<string, { observe(seconds: number): void }>();
  const requestsOf = (method: string, route: string, status: number) => {
    const name = `${method} ${route} ${status}`;
    const known = byLabels.get(name) ?? requests.labels({ method, route, status });
    byLabels.set(name, known);
    return known;
  };
  return {
    countRequest(c, seconds) {
      const route = matchedRoutes(c).find(({ path }) => !path.includes("*"));
      requestsOf(c.req.method, route?.path ?? "none", c.res.status).observe(seconds);
    },
    countInbound: (receive) => async (mail) => {
      const report = await receive(mail);
      for (const { outcome, reason } of report.results)
        inbound.inc({ origin: mail.origin, outcome, reason: reason ?? "" });
      return report;
    },
    mount(app) {
      app.use("/metrics", directOnly);
      app.get("/metrics", async (c) =>
        c.body(await registry.metrics(), 200, { "Content-Type": registry.contentType }),
      );
    },
  };
}
