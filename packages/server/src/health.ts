import type { Hono } from "hono";
import type { Edge, ServerEnv } from "./context.ts";

/** `/healthz`: the process runs. `/readyz`: it can do its work; 503 while storage can't answer or the server is stopping. */
export function mountHealth(app: Hono<ServerEnv>, { letterslot, log, stopping }: Edge): void {
  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.get("/readyz", async (c) => {
    if (stopping?.aborted) return c.json({ status: "stopping" }, 503);
    try {
      await letterslot.parts.storage.ping();
    } catch (error) {
      log.error({ error }, "storage does not answer");
      return c.json({ status: "storage_unavailable" }, 503);
    }
    return c.json({ status: "ok" });
  });
}
