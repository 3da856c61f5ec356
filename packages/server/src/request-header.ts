import type { IncomingHttpHeaders } from "node:http";
import type { ServerContext } from "./context.ts";

/**
 * A header of the request by its name in small letters. On Node it is read where the parser put it: making the web's Headers of all
 * of them costs more than the rest of a small request.
 */
export function requestHeader(c: Pick<ServerContext, "env" | "req">, name: string): string | undefined {
  const { incoming } = (c.env ?? {}) as { incoming?: { headers?: IncomingHttpHeaders } };
  if (incoming?.headers === undefined) return c.req.header(name);
  const value = incoming.headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}
