import type { Letterslot } from "@letterslot/core";
import { addressGroup, type OAuth, type OwnDomain } from "@letterslot/core/internal";
import { fail, type Log } from "@letterslot/core/ports";
import type { PhoneSimulator } from "@letterslot/core/testing";
import { Hono, type MiddlewareHandler } from "hono";
import { SmartRouter } from "hono/router/smart-router";
import { TrieRouter } from "hono/router/trie-router";
import { mountDocs } from "../docs/mount.ts";
import type { Setting } from "../docs/reference-markdown.ts";
import { mountDeliveryReports } from "../internal/delivery-reports.ts";
import { mountDigestFlush } from "../internal/digests.ts";
import { mountInbound } from "../internal/inbound.ts";
import { type CapturedMail, mountOutbox } from "../internal/outbox.ts";
import { mountPhone } from "../internal/phone.ts";
import { mountTelephony } from "../internal/telephony.ts";
import { preferredType } from "../pages/accepts.ts";
import { mountApprovalPages } from "../pages/approvals.ts";
import { mountConsentPages } from "../pages/apps/consent.ts";
import { mountLetterPages } from "../pages/letter-pages.ts";
import { mountOwnerPages } from "../pages/owners.ts";
import { mountPairing } from "../pages/pair.ts";
import { mountPasskeyPages } from "../pages/passkeys/passkeys.ts";
import { mountRecoveryPages } from "../pages/recovery/recovery.ts";
import { mountShortPaths, notFoundPage } from "../pages/short-paths.ts";
import { mountSignInPages } from "../pages/sign-in.ts";
import { mountWritePage } from "../pages/write.ts";
import { createBodyBudget } from "../request/body-budget.ts";
import { clientAddressBehind } from "../request/client-address.ts";
import type { Bodies, ServerEnv, ServerState } from "../request/context.ts";
import { publicError, respondError } from "../request/errors.ts";
import type { Site } from "../request/www-authenticate.ts";
import { completeHeaders } from "./answer.ts";
import { mountApprovalKeys } from "./approval-keys.ts";
import { allowOrigins } from "./cors.ts";
import { mountHealth } from "./health.ts";
import { mountMcp } from "./mcp.ts";
import type { Metrics } from "./metrics.ts";
import { mountOperations } from "./mount.ts";
import { mountOAuth } from "./oauth.ts";
import { createPathRouter } from "./path-router.ts";
import { mountSessions } from "./sessions.ts";
import { mountUploads } from "./uploads.ts";
import { mountViews, withoutWord } from "./views.ts";

/** Options for `createApp`. Only `letterslot` is required. */
export interface AppOptions {
  letterslot: Letterslot;
  /**
   * Lets people let apps in: `createOAuth(letterslot)` of `@letterslot/oauth`. Without it, `/oauth/authorize` and the
   * other paths that apps come by are 404.
   */
  oauth?: OAuth | undefined;
  /** Logs requests and failures; by default the service's log. */
  log?: Log;
  /** Enables `POST /api/v1/internal/inbound`; without it that path is 404. */
  inboundSecret?: string | undefined;
  /**
   * Enables `/api/v1/internal/digests/flush` for an operator's timer; its POST accepts the inbound secret
   * too.
   */
  cronSecret?: string | undefined;
  /** Enables `POST /api/v1/internal/delivery-reports`; without it that path is 404. */
  reportsSecret?: string | undefined;
  /** Networks of proxies whose X-Forwarded-For is trusted. */
  trustedProxies?: readonly string[];
  /**
   * Origins whose pages may read answers, such as `https://app.example.com`, or `*`; none by default. They call
   * with an API key: a person's cookie is for this server's own pages.
   */
  corsOrigins?: readonly string[];
  /** Whether language models reach the service at `/mcp` (Model Context Protocol); by default they do. */
  mcp?: boolean;
  /** Captured mail to show at `/outbox`, only for development on this machine. */
  capturedMail?: CapturedMail | undefined;
  /** The simulator that the service has as its telephony, for a person's telephone at `/phone`, only for development. */
  phoneSimulator?: PhoneSimulator | undefined;
  /** Prometheus metrics, served at `/metrics`; none by default. */
  metrics?: Metrics | undefined;
  /** Lets other machines read `/metrics`, as a bearer token; otherwise only this machine can. */
  metricsToken?: string | undefined;
  /** Names dependencies that are down although the server still works, for `/readyz`. */
  degraded?: (() => readonly string[]) | undefined;
  /** Looks up the DNS records of the mail domain for `/readyz?verbose`, which omits them without it. */
  ownDomain?: (() => Promise<OwnDomain>) | undefined;
  /** The pages on which people see and decide: `createConsole()` of `@letterslot/console`. Without it, `/console` is 404. */
  console?: Hono | undefined;
  /** The settings of the process, which `/docs` lists; none for an app that is embedded. */
  settings?: readonly Setting[];
  /** Aborts when the process is about to stop: waits and streams then end with an answer. */
  stopping?: AbortSignal;
}

/** Frequent monitoring requests are not logged. */
const UNLOGGED_PATHS = new Set(["/healthz", "/readyz", "/metrics"]);

/**
 * Creates the service's HTTP interface as a Hono app. Serve it alone, or mount it in another app with
 * `app.route("/mail", createApp({ … }))`; then that app's `strict` decides about slashes at the end of paths.
 */
export function createApp(options: AppOptions): Hono<ServerEnv> {
  const {
    letterslot,
    oauth,
    log = letterslot.services.log,
    inboundSecret: inbound_secret,
    cronSecret: cron_secret,
    reportsSecret: reports_secret,
    trustedProxies: trusted_proxies = [],
    corsOrigins: cors_origins = [],
    mcp = true,
    capturedMail: captured_mail,
    phoneSimulator: phone_simulator,
    metrics,
    metricsToken: metrics_token,
    degraded = () => [],
    ownDomain,
    console: consoleApp,
    settings = [],
    stopping,
  } = options;
  const state: ServerState = {
    letterslot,
    log,
    clientAddress: clientAddressBehind(trusted_proxies),
    capturesMail: captured_mail !== undefined,
    hasConsole: consoleApp !== undefined,
    waiting: new Set(),
    stopping,
  };
  stopping?.addEventListener("abort", () => state.waiting.forEach((request) => request.abort()), {
    once: true,
  });
  const { baseUrl: base_url } = letterslot.services.options;
  const here: Site = { base_url, lets_apps_in: oauth !== undefined };
  // A route that an embedding program adds may need more than the path router knows.
  const router: Hono<ServerEnv>["router"] = new SmartRouter({
    routers: [createPathRouter(), new TrieRouter()],
  });
  // A path with a slash at its end is the path without it.
  const app = new Hono<ServerEnv>({ strict: false, router });

  app.use(traceRequests(state, metrics, createBodies(state)));
  if (cors_origins.length > 0) app.use("/api/v1/*", allowOrigins(cors_origins));
  app.onError((error, c) => respondError(c, publicError(error, log, c.get("request_id")), here));
  mountInbound(app, state, inbound_secret);
  mountDeliveryReports(app, state, reports_secret);
  mountTelephony(app, state);
  mountDigestFlush(app, state, { cron_secret, inbound_secret });
  mountSessions(app, state);
  mountSignInPages(app, state);
  mountOwnerPages(app, state);
  mountLetterPages(app, state);
  mountApprovalPages(app, state);
  mountRecoveryPages(app, state);
  mountShortPaths(app);
  mountPairing(app, state);
  mountWritePage(app, state);
  mountPasskeyPages(app, state);
  if (oauth !== undefined) {
    mountOAuth(app, { ...state, oauth });
    mountConsentPages(app, { ...state, oauth });
  }
  mountUploads(app, state);
  mountViews(app, state);
  mountOperations(app, state);
  if (mcp) mountMcp(app, state, cors_origins);
  mountApprovalKeys(app, state);
  mountDocs(app, { ...here, settings });
  if (consoleApp !== undefined) app.route("/console", consoleApp);
  app.get("/", (c) => {
    const isBrowser = preferredType(c.req.header("accept")) === "html";
    return c.redirect(consoleApp !== undefined && isBrowser ? "console/" : `${base_url}/docs`);
  });
  mountHealth(app, { ...state, degraded, ownDomain });
  if (captured_mail !== undefined) mountOutbox(app, state, captured_mail);
  if (phone_simulator !== undefined) mountPhone(app, state, phone_simulator);
  metrics?.mount(app, { token: metrics_token });
  app.all("/api/*", () => {
    throw fail("route_not_found");
  });
  app.notFound((c) =>
    preferredType(c.req.header("accept")) === "html"
      ? notFoundPage(c)
      : respondError(c, fail("route_not_found"), here),
  );
  return app;
}

/** Counts the bytes of bodies for IPv4 addresses and IPv6 /64 networks. */
function createBodies({ clientAddress }: ServerState): Bodies {
  const addressOf: Bodies["addressOf"] = (c) => {
    const address = clientAddress(c);
    return address === null ? null : addressGroup(address);
  };
  return { budget: createBodyBudget(), addressOf };
}

/** Gives every request an id, counts it, and logs it without its query and words, which may be secrets. */
function traceRequests(
  { letterslot, log }: ServerState,
  metrics: Metrics | undefined,
  bodies: Bodies,
): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const request_id = letterslot.services.makeId("req");
    const start = performance.now();
    c.set("request_id", request_id);
    c.set("bodies", bodies);
    try {
      await next();
    } finally {
      c.get("body_share")?.close();
    }
    completeHeaders(c);
    const duration = performance.now() - start;
    metrics?.countRequest(c, duration / 1000);
    const { method, path } = c.req;
    if (UNLOGGED_PATHS.has(path)) return;
    const duration_ms = Math.round(duration);
    log.info({ request_id, method, path: withoutWord(path), status: c.res.status, duration_ms }, "request");
  };
}
