import type { Letterslot } from "@letterslot/core";
import type { OwnDomain } from "@letterslot/core/internal";
import type { Log } from "@letterslot/core/ports";
import { withTimeout } from "@letterslot/node-kit";
import type { Hono } from "hono";
import type { ServerEnv } from "../request/context.ts";

/** Readiness checks time out soon; storage that has not answered by then counts as unavailable. */
const PING_TIMEOUT_MS = 2_000;

/**
 * Mounts `/healthz` (the process runs) and `/readyz` (it can do its work; 503 while storage does not answer or the
 * server is stopping). Dependencies that are down while the server works on, more slowly, are listed in `degraded` with
 * status 200, since taking the process out of service would not help. `/readyz?verbose` adds the DNS records of
 * MAIL_DOMAIN, which don't change the status.
 */
export function mountHealth(
  app: Hono<ServerEnv>,
  options: {
    letterslot: Letterslot;
    log: Log;
    stopping: AbortSignal | undefined;
    degraded(): readonly string[];
    /** Looks up the DNS records of MAIL_DOMAIN, for `?verbose`. */
    ownDomain: (() => Promise<OwnDomain>) | undefined;
  },
): void {
  const { letterslot, log, stopping, degraded, ownDomain } = options;
  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.get("/readyz", async (c) => {
    if (stopping?.aborted) return c.json({ status: "stopping" }, 503);
    try {
      await withTimeout(PING_TIMEOUT_MS, letterslot.services.storage.ping(), noAnswer);
    } catch (error) {
      log.error({ error }, "storage does not answer");
      return c.json({ status: "storage_unavailable" }, 503);
    }
    const down = degraded();
    const state = down.length === 0 ? { status: "ok" } : { status: "degraded", degraded: down };
    if (ownDomain === undefined || c.req.query("verbose") === undefined) return c.json(state);
    try {
      return c.json({ ...state, mail_domain: await ownDomain() });
    } catch (error) {
      log.error({ error }, "the DNS records of MAIL_DOMAIN can't be looked up");
      return c.json({ ...state, mail_domain: null });
    }
  });
}

const noAnswer = (): never => {
  throw new Error(`no answer within ${PING_TIMEOUT_MS} ms`);
};
