import { LIMITS } from "@letterslot/core";
import { fail } from "@letterslot/core/ports";
import type { Hono } from "hono";
import { readBytes } from "../request/body.ts";
import type { ServerContext, ServerEnv, ServerState } from "../request/context.ts";
import { refuseOtherMethods } from "../request/errors.ts";
import { isStandalone } from "../request/request-header.ts";

const BELOW = "/api/v1/internal/telephony/";
const PATH = `${BELOW}:provider/:callback`;

/**
 * Mounts `POST /api/v1/internal/telephony/:provider/:callback`, which receives the telephony provider's callbacks. Its
 * signature covers the URL below BASE_URL, even if a proxy changed the request's host, protocol or the path before
 * `/api/v1`.
 */
export function mountTelephony(app: Hono<ServerEnv>, { letterslot }: ServerState): void {
  const { telephony, options } = letterslot.services;
  app.post(PATH, async (c) => {
    if (c.req.param("provider") !== telephony.name) throw fail("route_not_found");
    const body = Buffer.from(await readBytes(c, LIMITS.telephony_callback_bytes)).toString("utf8");
    const asked = pathAndQuery(c);
    const [pathname = ""] = asked.split("?");
    const answer = await letterslot.receiveCallback({
      url: `${options.baseUrl}${asked}`,
      path: pathname.slice(BELOW.length + telephony.name.length),
      headers: c.req.header(),
      body,
    });
    return c.body(answer.body, answer.status as 200, answer.headers);
  });
  refuseOtherMethods(app, PATH);
}

/** Returns the requested path from `/api/v1` on with its query, unmodified: the signature covers it as it was sent. */
function pathAndQuery(c: ServerContext): string {
  const asked = isStandalone(c) ? ((c.env as { incoming: { url?: string } }).incoming.url ?? "") : c.req.url;
  return asked.slice(Math.max(0, asked.indexOf(BELOW)));
}
