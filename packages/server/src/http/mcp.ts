import type { ServerResponse } from "node:http";
import { type AppCaller, type KeyCaller, LIMITS } from "@letterslot/core";
import { callerId } from "@letterslot/core/internal";
import { fail, type Log } from "@letterslot/core/ports";
import type { McpHttp, ToolHost } from "@letterslot/mcp";
import type { Hono } from "hono";
import { hasArrived, readSizedJson } from "../request/body.ts";
import { mcpCallerOf } from "../request/caller.ts";
import type { ServerContext, ServerEnv, ServerState } from "../request/context.ts";
import { refuseOtherMethods } from "../request/errors.ts";
import { noteRefusal } from "../request/note-refusal.ts";
import { requestHeader } from "../request/request-header.ts";
import { allowOrigins, isGranted } from "./cors.ts";

/** The path of the MCP server, which is the resource that apps get tokens for. */
export const MCP_PATH = "/mcp";

/** The headers that browser clients of both protocol versions send and read. */
const PAGE_HEADERS = {
  request:
    "authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id, x-letterslot-workspace",
  answer: "mcp-session-id, retry-after, www-authenticate, x-request-id",
};

/** The server's side of MCP, and the parts of its package that a request needs. */
type Mcp = McpHttp &
  Pick<typeof import("@letterslot/mcp"), "calledTool" | "hostOf" | "largestBody" | "permissionFor">;

/**
 * Mounts the MCP server (Streamable HTTP), for keys and for apps with a token for it. Browsers reach it from
 * BASE_URL's own pages and from those of `origins`.
 */
export function mountMcp(app: Hono<ServerEnv>, state: ServerState, origins: readonly string[]): void {
  const { baseUrl: base_url } = state.letterslot.services.options;
  const allowed = [new URL(base_url).origin, ...origins];
  const mcp = createLoader(state);
  if (origins.length > 0) app.use(MCP_PATH, allowOrigins(origins, PAGE_HEADERS));

  app.post(MCP_PATH, async (c) => {
    const origin = requestHeader(c, "origin");
    // A page that got its own name to lead here (DNS rebinding) still says where it is from.
    if (origin !== undefined && !isGranted(allowed, origin))
      throw fail("origin_not_allowed", { param: "Origin" });
    const arrives = !hasArrived(c);
    const caller = await mcpCallerOf(c, state);
    c.set("body_holder", callerId(caller));
    const loaded = await mcp();
    const hostFor = (as: KeyCaller | AppCaller) => noting(loaded.hostOf(state.letterslot, as), state, c, as);
    const open = async () => hostFor(await mcpCallerOf(c, state));
    const message = await readMessage(c, loaded, caller);
    // A body may take minutes, in which the caller's right to send it may have ended.
    const host = arrives ? await open() : hostFor(caller);
    const headers = { get: (name: string) => requestHeader(c, name) ?? null };
    const signal = disconnectOf(c);
    let made: Request | undefined;
    const request = () =>
      (made ??= new Request(c.req.url, { method: "POST", headers: c.req.header(), signal }));
    return loaded.answer({ headers, signal, request, message, host, open });
  });
  // There is no stream from the server alone, and no session to end: clients take that for an answer.
  refuseOtherMethods(app, MCP_PATH);
}

/** The tools' access to the service, which keeps the calls that are refused. */
const noting = (
  host: ToolHost,
  state: ServerState,
  c: ServerContext,
  caller: KeyCaller | AppCaller,
): ToolHost => ({
  ...host,
  call: (operation, input, options) =>
    host.call(operation, input, options).catch((error: unknown) => {
      const inbox_id = input["inbox_id"];
      const request_id = c.get("request_id");
      throw noteRefusal(state, error, { caller, operation, inbox_id, source: "mcp", request_id });
    }),
});

/** Loads the package at the first request: who has no MCP client doesn't pay for it. */
function createLoader({ log, stopping }: ServerState): () => Promise<Mcp> {
  let loaded: Promise<Mcp> | undefined;
  const load = async (): Promise<Mcp> => {
    const { createMcpHttp, calledTool, hostOf, largestBody, permissionFor } = await import("@letterslot/mcp");
    const onError = tellOf(log);
    return { ...createMcpHttp({ stopping, onError }), calledTool, hostOf, largestBody, permissionFor };
  };
  return () => (loaded ??= load());
}

/** Requests that are refused are their clients' business. */
const tellOf = (log: Log) => (error: Error) => log.info({ reason: error.message }, "mcp");

/**
 * Reads the message of a request: a large one only if it calls a tool that writes mail. Fails with `permission_denied`
 * when it calls a tool for which an app must ask its person first.
 */
async function readMessage(
  c: ServerContext,
  { calledTool, largestBody, permissionFor }: Mcp,
  caller: KeyCaller | AppCaller,
): Promise<Record<string, unknown>> {
  const who = { ...caller, id: callerId(caller) };
  const max = largestBody(who, requestHeader(c, "mcp-name"));
  const { object: message, bytes } = await readSizedJson(c, max);
  const tool = calledTool(message);
  if (bytes > LIMITS.small_body_bytes && largestBody(who, tool ?? "") < bytes)
    throw fail("request_too_large");
  const missing = tool === undefined ? undefined : permissionFor(who, tool);
  if (missing === undefined) return message;
  c.set("granted", caller.permissions ?? []);
  throw fail("permission_denied", { param: missing });
}

/** Aborts when the client has gone before the answer. On Node it watches the socket: a Request's own signal costs more. */
function disconnectOf(c: ServerContext): AbortSignal {
  const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse };
  if (outgoing === undefined) return c.req.raw.signal;
  const controller = new AbortController();
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) controller.abort();
  });
  return controller.signal;
}
