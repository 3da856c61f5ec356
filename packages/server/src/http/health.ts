import type { Letterslot, Log } from "@letterslot/core";
import type { Hono } from "hono";
import type { ServerEnv } from "../request/context.ts";

/** Readiness checks time out soon; storage that has not answered by then counts as unavailable. */
const PING_TIMEOUT_MS = 2_000;

/**
 * Mounts `/healthz` (the process runs) and `/readyz` (it can do its work; 503 while storage does not answer
 * or the server is stopping). Dependencies that are down while the server works on, more slowly, are listed
 * in `degraded` with status 200, since taking the process out of service would not help.
 */
export function mountHealth(
  app: Hono<ServerEnv>,
  options: {
    letterslot: Letterslot;
    log: Log;
    stopping: AbortSignal | undefined;
    degraded(): readonly string[];
  },
): void {
  const { letterslot, log, stopping, degraded } = options;
  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.get("/readyz", async (c) => {
    if (stopping?.aborted) return c.json({ status: "stopping" }, 503);
    try {
      await withTimeout(letterslot.services.storage.ping());
    } catch (error) {
      log.error({ error }, "storage does not answer");
      return c.json({ status: "storage_unavailable" }, 503);
    }
    const down = degraded();
    return c.json(down.length === 0 ? { status: "ok" } : { status: "degraded", degraded: down });
  });
}

async function withTimeout(ping: Promise<void>): Promise<void> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`no answer within ${PING_TIMEOUT_MS} ms`)),
    PING_TIMEOUT_MS,
  );
  await Promise.race([ping, timeout]).finally(() => clearTimeout(timer));
}
