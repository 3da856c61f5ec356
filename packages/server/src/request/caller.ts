import { type Caller, fail } from "@letterslot/core";
import type { Edge, ServerContext } from "./context.ts";
import { requestHeader } from "./request-header.ts";

/**
 * Who asks. Without an Authorization header that is the public, where the public may ask; a header that is
 * there must be a live key everywhere, so that a mistyped key never passes for nobody (decisions, section 3).
 */
export async function callerOf(c: ServerContext, edge: Edge, open: boolean): Promise<Caller> {
  const header = requestHeader(c, "authorization");
  const ip = edge.clientAddress(c);
  if (header === undefined && open) return { type: "public", ip };
  const api_key = /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1];
  if (api_key === undefined) throw fail("invalid_api_key");
  return edge.letterslot.authenticate(api_key, ip);
}
