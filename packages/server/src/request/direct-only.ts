import { isLoopbackClient } from "@letterslot/core/internal";
import { fail } from "@letterslot/core/ports";
import type { MiddlewareHandler } from "hono";
import { peerOf } from "./client-address.ts";
import type { ServerContext, ServerEnv } from "./context.ts";
import { isForwarded } from "./request-header.ts";

const LOCAL_HOSTS = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/**
 * Whether a request comes from a program on this machine: its peer is a loopback address, its Host a local
 * name, since another site could rebind its own name to this address, and it came through no proxy, which may
 * be open to the public.
 */
export function isDirect(c: ServerContext): boolean {
  const peer = peerOf(c);
  return (
    peer !== null && isLoopbackClient(peer) && LOCAL_HOSTS.test(c.req.header("host") ?? "") && !isForwarded(c)
  );
}

/** Answers 404 to requests that are not direct. For the developer's and operator's own routes. */
export const directOnly: MiddlewareHandler<ServerEnv> = async (c, next) => {
  if (!isDirect(c)) throw fail("route_not_found");
  await next();
};
