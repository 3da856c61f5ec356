import { fail } from "@letterslot/core";
import type { MiddlewareHandler } from "hono";
import type { ServerEnv } from "./context.ts";

const PROXY_HEADERS = /^(forwarded|via|x-real-ip|x-forwarded-.*)$/;

/**
 * Answers 404 to requests that came through a proxy, which may be open to the public. For operators' routes.
 */
export const directOnly: MiddlewareHandler<ServerEnv> = async (c, next) => {
  const forwarded = [...c.req.raw.headers.keys()].some((name) => PROXY_HEADERS.test(name));
  if (forwarded) throw fail("route_not_found");
  await next();
};
