import { type Caller, fail } from "@letterslot/core";
import type { ServerContext, ServerState } from "./context.ts";
import { requestHeader } from "./request-header.ts";

/**
 * Authenticates a request. Without an Authorization header the caller is the public, if `open` allows it. A
 * header that is present must always hold a live key, so that a mistyped key is never treated as no key
 * (decisions, section 3).
 */
export async function callerOf(c: ServerContext, state: ServerState, open: boolean): Promise<Caller> {
  const header = requestHeader(c, "authorization");
  const ip = state.clientAddress(c);
  if (header === undefined && open) return { type: "public", ip };
  const api_key = bearerToken(header);
  if (api_key === undefined) throw fail("invalid_api_key");
  return state.letterslot.authenticate(api_key, ip);
}

/** The token of an `Authorization: Bearer` header, if it is one. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1];
}
