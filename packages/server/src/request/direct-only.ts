import { fail } from "@letterslot/core";
import type { MiddlewareHandler } from "hono";
import type { ServerEnv } from "./context.ts";

/** Hides what is for operators from everything that came through a proxy: there the public may be. */
export const directOnly: MiddlewareHandler<ServerEnv> = async (c, next) => {
  const forwarded = [...c.req.raw.headers.keys()].some((name) => proxyHeaders.test(name));
  if (forwarded) throw fail("route_not_found");
  await next();
};

const proxyHeaders = /^(forwarded|via|x-real-ip|x-forwarded-.*)$/;
