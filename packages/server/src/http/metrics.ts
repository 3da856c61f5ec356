import type { ReceivedMail, ReceiveReport } from "@letterslot/core";
import type { Hono } from "hono";
import { matchedRoutes } from "hono/route";
import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import type { ServerContext, ServerEnv } from "../request/context.ts";
import { directOnly } from "../request/direct-only.ts";

/** Prometheus metrics of a server. Labels contain routes and outcomes, never addresses. */
export interface Metrics {
  /** Records an answered request. */
  countRequest(c: ServerContext, seconds: number): void;
  /** Wraps `receive` to count the outcome for each recipient, including drops that the sender cannot see. */
  countInbound(
    receive: (mail: ReceivedMail) => Promise<ReceiveReport>,
  ): (mail: ReceivedMail) => Promise<ReceiveReport>;
  /** Serves them at `/metrics`, to direct requests only. */
  mount(app: Hono<ServerEnv>): void;
}

const BUCKETS_SECONDS = [0.005, 0.02, 0.1, 0.5, 2, 10, 30, 60];

/** Creates metrics in a registry of their own, so that several servers can share a process. */
export function createMetrics(): Metrics {
  const registers = [new Registry()];
  const [registry] = registers as [Registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: "letterslot_http_request_seconds",
    help: "Duration of HTTP requests in seconds.",
    labelNames: ["method", "route", "status"],
    buckets: BUCKETS_SECONDS,
    registers,
  });
  const inbound = new Counter({
    name: "letterslot_inbound_recipients_total",
    help: "Outcome of incoming mail, per recipient.",
    labelNames: ["origin", "outcome", "reason"],
    registers,
  });
  const observers = new Map<string, { observe(seconds: number): void }>();
  const observerOf = (method: string, route: string, status: number) => {
    const name = `${method} ${route} ${status}`;
    const known = observers.get(name) ?? requests.labels({ method, route, status });
    observers.set(name, known);
    return known;
  };
  return {
    countRequest(c, seconds) {
      const route = matchedRoutes(c).find(({ path }) => !path.includes("*"));
      observerOf(c.req.method, route?.path ?? "none", c.res.status).observe(seconds);
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
