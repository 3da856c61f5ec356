import { type Letterslot, LetterslotError, type ReceivedMail, type ReceiveReport } from "@letterslot/core";
import { sameSecret } from "@letterslot/core/internal";
import { fail } from "@letterslot/core/ports";
import type { Hono } from "hono";
import { matchedRoutes } from "hono/route";
import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import { bearerToken } from "../request/caller.ts";
import type { ServerContext, ServerEnv } from "../request/context.ts";
import { isDirect } from "../request/direct-only.ts";

/** Prometheus metrics of a server. Labels contain routes and outcomes, never addresses. */
export interface Metrics {
  /** Records an answered request. */
  countRequest(c: ServerContext, seconds: number): void;
  /** Wraps `receive` to count the outcome for each recipient, including drops that the sender cannot see. */
  countInbound(
    receive: (mail: ReceivedMail) => Promise<ReceiveReport>,
  ): (mail: ReceivedMail) => Promise<ReceiveReport>;
  /**
   * Wraps `receiveCallback` to count the outcomes of callbacks, including those without a valid signature (`refused`).
   */
  countCallbacks(receive: Letterslot["receiveCallback"]): Letterslot["receiveCallback"];
  /** Wraps `noteRefusal` to count those that aren't kept because too many wait to be written. */
  countDropped(note: Letterslot["refusals"]["note"]): Letterslot["refusals"]["note"];
  /** Counts what became of a job: an observer for `letterslot.work`. */
  countJob: NonNullable<Parameters<Letterslot["work"]>[0]>;
  /** Serves them at `/metrics`, to direct requests and to those with `Authorization: Bearer <token>`. */
  mount(app: Hono<ServerEnv>, options?: { token?: string | undefined }): void;
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
  const callbacks = new Counter({
    name: "letterslot_telephony_callbacks_total",
    help: "Outcome of the telephony provider's callbacks.",
    labelNames: ["outcome"],
    registers,
  });
  const jobs = new Counter({
    name: "letterslot_jobs_total",
    help: "What became of jobs: done, failed (tried again) or given_up.",
    labelNames: ["kind", "status"],
    registers,
  });
  const dropped = new Counter({
    name: "letterslot_refusals_dropped_total",
    help: "Refused calls that are not kept, because too many waited to be written.",
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
    countCallbacks: (receive) => async (request) => {
      try {
        const answer = await receive(request);
        callbacks.inc({ outcome: answer.outcome });
        return answer;
      } catch (error) {
        const refused = error instanceof LetterslotError && error.code === "callback_refused";
        callbacks.inc({ outcome: refused ? "refused" : "failed" });
        throw error;
      }
    },
    countDropped: (note) => (call) => {
      const kept = note(call);
      if (!kept) dropped.inc();
      return kept;
    },
    countJob: (kind, status) => jobs.inc({ kind, status }),
    mount(app, { token } = {}) {
      app.use("/metrics", async (c, next) => {
        const given = bearerToken(c.req.header("authorization"));
        const authorized = token !== undefined && given !== undefined && sameSecret(given, token);
        if (!authorized && !isDirect(c)) throw fail("route_not_found");
        await next();
      });
      app.get("/metrics", async (c) =>
        c.body(await registry.metrics(), 200, { "Content-Type": registry.contentType }),
      );
    },
  };
}
