import { sameSecret } from "@letterslot/core/internal";
import { fail } from "@letterslot/core/ports";
import type { Hono } from "hono";
import { bearerToken } from "../request/caller.ts";
import type { ServerContext, ServerEnv, ServerState } from "../request/context.ts";
import { refuseOtherMethods } from "../request/errors.ts";

const PATH = "/api/v1/internal/digests/flush";

/**
 * Mounts `GET` and `POST /api/v1/internal/digests/flush`: sends every queued digest now, for an operator's
 * own timer. Bearer CRON_SECRET authorizes both; X-Svc-Inbound-Secret authorizes only POST, since links are
 * opened with GET. Without a configured secret the path is 404.
 */
export function mountDigestFlush(
  app: Hono<ServerEnv>,
  { letterslot }: ServerState,
  { cron_secret, inbound_secret }: { cron_secret: string | undefined; inbound_secret: string | undefined },
): void {
  if (cron_secret === undefined && inbound_secret === undefined) return;
  const flush = async (c: ServerContext) => {
    const bearer = bearerToken(c.req.header("authorization")) ?? "";
    const inbound = c.req.method === "POST" ? (c.req.header("x-svc-inbound-secret") ?? "") : "";
    const authorized = isSecret(bearer, cron_secret) || isSecret(inbound, inbound_secret);
    if (!authorized) throw fail("invalid_operator_secret");
    return c.json({ object: "digest_flush", ...(await letterslot.flushDigests()) });
  };
  app.get(PATH, flush);
  app.post(PATH, flush);
  refuseOtherMethods(app, PATH);
}

const isSecret = (given: string, secret: string | undefined): boolean =>
  secret !== undefined && sameSecret(given, secret);
