import type { AppCaller, Caller, KeyCaller } from "@letterslot/core";
import { fail } from "@letterslot/core/ports";
import type { ServerContext, ServerState } from "./context.ts";
import { requestHeader } from "./request-header.ts";
import { ownerCallerOf, personOf, readCookie, WORKSPACE_HEADER } from "./session.ts";

/**
 * Authenticates a request for an operation. Without an Authorization header the caller is the person whose session
 * cookie it has, else the public, if `open` allows it. A header that is present must always hold a live key, so that a
 * mistyped key is never treated as no key, and a cookie beside it is ignored. With `X-Letterslot-Workspace` the caller
 * acts within that workspace, which the public never does.
 */
export async function callerOf(
  c: ServerContext,
  state: ServerState,
  open: boolean,
  name: string,
): Promise<Caller> {
  const header = requestHeader(c, "authorization");
  const workspace_id = requestHeader(c, WORKSPACE_HEADER);
  const ip = state.clientAddress(c);
  if (header === undefined) {
    const person = await personOf(c, state);
    if (person !== undefined) return ownerCallerOf(c, state, person, name);
    if (open && workspace_id === undefined) return { type: "public", ip };
    if (readCookie(c, state, "session") !== undefined) throw fail("session_required");
  }
  const api_key = bearerToken(header);
  if (api_key === undefined) throw fail("invalid_api_key");
  const caller = await state.letterslot.authenticate(api_key, ip);
  return workspace_id === undefined ? caller : state.letterslot.within(caller, workspace_id);
}

/**
 * Authenticates a request to the MCP server: by a key or by an app's token for it, never by a cookie. With
 * `X-Letterslot-Workspace` the caller acts within that workspace.
 */
export async function mcpCallerOf(
  c: ServerContext,
  { letterslot, clientAddress }: ServerState,
): Promise<KeyCaller | AppCaller> {
  const credential = bearerToken(requestHeader(c, "authorization"));
  if (credential === undefined) throw fail("invalid_api_key");
  const caller = await letterslot.authenticate(credential, clientAddress(c), "/mcp");
  const workspace_id = requestHeader(c, WORKSPACE_HEADER);
  return workspace_id === undefined ? caller : letterslot.within(caller, workspace_id);
}

/** The token of an `Authorization: Bearer` header, if it is one. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1];
}
