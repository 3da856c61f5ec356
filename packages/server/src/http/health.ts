import type { Letterslot, Log } from "@letterslot/core";
import type { Hono } from "hono";
import type { ServerEnv } from "../request/context.ts";

/** Whoever asks whether the process is ready hangs up soon; then storage that is silent counts as away. */
const storageWithinMs = 2_000;

/**
 * `/healthz`: the process runs. `/readyz`: it can do its work; 503 while storage can't answer or the server
 * is stopping. What is away although the work goes on, more slowly, is named in `degraded`: that is 200,
 * since taking the process out would help nobody.
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
      await answered(letterslot.parts.storage.ping());
    } catch (error) {
      log.error({ error }, "storage does not answer");
      return c.json({ status: "storage_unavailable" }, 503);
    }
    const away = degraded();
    return c.json(away.length === 0 ? { status: "ok" } : { status: "degraded", degraded: away });
  });
}

async function answered(ping: Promise<void>): Promise<void> {
  const { promise: silence, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`no answer within ${storageWithinMs} ms`)),
    storageWithinMs,
  );
  await Promise.race([ping, silence]).finally(() => clearTimeout(timer));
}
