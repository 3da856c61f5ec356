import { fail, type Letterslot, type Log } from "@letterslot/core";
import { Hono } from "hono";
import { mountDocs } from "../docs/mount.ts";
import { mountDigestFlush } from "../internal/digests.ts";
import { mountInbound } from "../internal/inbound.ts";
import { type CapturedMail, mountOutbox } from "../internal/outbox.ts";
import { mountApprovalPages } from "../pages/approvals.ts";
import { mountLetterPages } from "../pages/letter-pages.ts";
import { mountOwnerPages } from "../pages/owners.ts";
import { clientAddressBehind } from "../request/client-address.ts";
import type { Edge, ServerEnv } from "../request/context.ts";
import { respondError, shownFailure } from "../request/errors.ts";
import { mountHealth } from "./health.ts";
import type { Metrics } from "./metrics.ts";
import { mountOperations } from "./mount.ts";
import { traceRequests } from "./trace.ts";

/** What the server is put together from. Only the service itself is needed. */
export interface ServerOptions {
  letterslot: Letterslot;
  /** Where requests and failures are noted; the service's log unless stated. */
  log?: Log;
  /** Opens `POST /api/v1/internal/inbound`; without it that path answers 404. */
  inbound_secret?: string | undefined;
  /**
   * Opens `/api/v1/internal/digests/flush`, for an operator's own timer; the inbound secret opens its POST
   * too.
   */
  cron_secret?: string | undefined;
  /** Networks of proxies whose X-Forwarded-For is believed. */
  trusted_proxies?: readonly string[];
  /** Captured mail to show at `/outbox`, for development on this machine only. */
  captured_mail?: CapturedMail | undefined;
  /** What is counted for Prometheus, at `/metrics`; nothing unless given. */
  metrics?: Metrics | undefined;
  /** Names what is away although the work goes on, for `/readyz`. */
  degraded?: (() => readonly string[]) | undefined;
  /** Aborts when the process is about to stop: waits and streams then end with an answer. */
  stopping?: AbortSignal;
}

/**
 * The whole service over HTTP, as a Hono app: serve it alone, or mount it in another with `app.route("/mail",
 * createServer({ … }))`.
 */
export function createServer(options: ServerOptions): Hono<ServerEnv> {
  const {
    letterslot,
    log = letterslot.parts.log,
    inbound_secret,
    cron_secret,
    trusted_proxies = [],
    captured_mail,
    metrics,
    degraded = () => [],
    stopping,
  } = options;
  const edge: Edge = {
    letterslot,
    log,
    clientAddress: clientAddressBehind(trusted_proxies),
    waiting: new Set(),
    stopping,
  };
  stopping?.addEventListener("abort", () => edge.waiting.forEach((request) => request.abort()), {
    once: true,
  });
  const { base_url } = letterslot.parts.options;
  const app = new Hono<ServerEnv>();

  app.use(traceRequests(edge, metrics));
  app.onError((error, c) => respondError(c, shownFailure(error, log, c.get("request_id")), base_url));
  mountInbound(app, edge, inbound_secret);
  mountDigestFlush(app, edge, { cron_secret, inbound_secret });
  mountOwnerPages(app, edge);
  mountLetterPages(app, edge);
  mountApprovalPages(app, edge);
  mountOperations(app, edge);
  mountDocs(app, base_url);
  mountHealth(app, { ...edge, degraded });
  if (captured_mail !== undefined) mountOutbox(app, edge, captured_mail);
  metrics?.mount(app);
  app.all("/api/*", () => {
    throw fail("route_not_found");
  });
  app.notFound((c) => respondError(c, fail("route_not_found"), base_url));
  return app;
}
