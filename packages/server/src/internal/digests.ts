import { fail, sameSecret } from "@letterslot/core";
import type { Hono } from "hono";
import type { Edge, ServerContext, ServerEnv } from "../request/context.ts";

const path = "/api/v1/internal/digests/flush";

/**
 * `GET` and `POST /api/v1/internal/digests/flush`: sends every queued digest now, for an operator's own
 * timer. Bearer CRON_SECRET opens both; X-Svc-Inbound-Secret opens POST alone, since links are followed by
 * GET. Without a configured secret the path answers 404.
 */
export function mountDigestFlush(
  app: Hono<ServerEnv>,
  { letterslot }: Edge,
  { cron_secret, inbound_secret }: { cron_secret: string | undefined; inbound_secret: string | undefined },
): void {
  if (cron_secret === undefined && inbound_secret === undefined) return;
  const flush = async (c: ServerContext) => {
    const bearer = /^Bearer +(\S+) *$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? "";
    const inbound = c.req.method === "POST" ? (c.req.header("x-svc-inbound-secret") ?? "") : "";
    const opened = isSecret(bearer, cron_secret) || isSecret(inbound, inbound_secret);
    if (!opened) throw fail("invalid_operator_secret");
    return c.json({ object: "digest_flush", ...(await letterslot.flushDigests()) });
  };
  app.get(path, flush);
  app.post(path, flush);
  app.all(path, (c) => {
    c.header("Allow", "GET, POST");
    throw fail("method_not_allowed");
  });
}

const isSecret = (said: string, secret: string | undefined): boolean =>
  secret !== undefined && sameSecret(said, secret);
