import { type Guard, guard } from "./guard.ts";

const mount = "packages/server/src/http/mcp.ts";
const http = "packages/mcp/src/http.ts";
const edges = "packages/server/src/http/mcp.test.ts";
const clients = "test/mcp-http.test.ts";

/** Who may use the MCP server, and with how much of it. */
export const mcp: Guard[] = [
  guard(
    "MCP: a page of another origin is refused (DNS rebinding)",
    [mount, "if (origin !== undefined && !isGranted(allowed, origin))", "if (origin === undefined && false)"],
    [edges, "a page that got its own name to lead here"],
  ),
  guard(
    "MCP: an app's token for the API doesn't open it",
    [
      "packages/server/src/request/caller.ts",
      'letterslot.authenticate(credential, clientAddress(c), "/mcp")',
      "letterslot.authenticate(credential, clientAddress(c))",
    ],
    [edges, "no app with a token for the API"],
  ),
  guard(
    "MCP: an app that lacks a permission is told which to ask for",
    [mount, "if (missing === undefined) return message;", "return message;"],
    [edges, "an app is told what else to ask for"],
  ),
  guard(
    "MCP: a large body only calls a tool that takes files",
    [mount, 'if (bytes > LIMITS.small_body_bytes && largestBody(who, tool ?? "") < bytes)', "if (bytes < 0)"],
    [edges, "a large one may only call a tool that takes files"],
  ),
  guard(
    "MCP: a large body is not read for who may not send files",
    ["packages/mcp/src/access.ts", "return found !== undefined && isOffered(caller, found);", "return true;"],
    [edges, "a large one is refused unread to a key that may not send"],
  ),
  guard(
    "MCP: a cancelled wait frees its place",
    [http, 'if (session !== null && message["id"] !== undefined) inProgress.set(name, end);'],
    [clients, "frees the place of a wait that it cancels"],
  ),
  guard(
    "MCP: a cancellation reaches only its own session",
    [http, "JSON.stringify([caller_id, session, id])", "JSON.stringify([caller_id, id])"],
    [clients, "the same request ids in other sessions"],
  ),
  guard(
    "MCP: subscriptions of a caller are limited",
    [http, "if (before >= max) return undefined;"],
    [clients, "is refused to a key that has"],
  ),
  guard(
    "MCP: whose access has ended is told nothing more",
    [
      "packages/mcp/src/subscriptions.ts",
      "const caller = await (await open()).caller();",
      "const caller = await host.caller();",
    ],
    [clients, "ends when its key is revoked"],
  ),
  guard(
    "MCP: standard input can't subscribe to what its key doesn't reach",
    [
      "packages/mcp/src/subscriptions.ts",
      "if (found === undefined) return undefined;",
      'if (found === undefined) return { inbox_id: "", id: undefined };',
    ],
    ["test/mcp-stdio.test.ts", "can't subscribe to an inbox that its key doesn't reach"],
  ),
];
