import { classifyInboundRequest, SERVER_INFO_META_KEY } from "@modelcontextprotocol/server";
import { SERVER_INFO } from "./protocol.ts";
import { callTool } from "./tools/call-tool.ts";
import { TOOLS } from "./tools/catalogue.ts";
import type { ToolHost } from "./tools/host.ts";

/** A POST with its body read. */
interface Posted {
  request: Request;
  message: Record<string, unknown>;
}

/** The revision of the protocol in which plain calls are answered. */
const REVISION = "2026-07-28";
/** All that the params of a plain call have. */
const PARAMS: ReadonlySet<string> = new Set(["name", "arguments", "_meta"]);

/**
 * Whether a request is a call of a tool that needs nothing of the protocol but one answer: in the newest revision,
 * of a tool that doesn't wait, with no progress to tell, and nothing in it to refuse.
 */
export function isPlainCall({ request, message }: Posted): boolean {
  const { headers } = request;
  const { name, arguments: args, _meta } = objectOf(message["params"]);
  const tool = typeof name === "string" ? TOOLS.get(name) : undefined;
  if (tool === undefined || "wait" in tool.operation.input.shape) return false;
  if (headers.get("mcp-protocol-version") !== REVISION || headers.get("mcp-name") !== name) return false;
  if (message["method"] !== "tools/call" || headers.get("mcp-method") !== "tools/call") return false;
  if (args !== undefined && !isObject(args)) return false;
  if (objectOf(_meta)["progressToken"] !== undefined) return false;
  if (Object.keys(objectOf(message["params"])).some((key) => !PARAMS.has(key))) return false;
  // Whether all that the protocol asks of a message is there is for the library to say.
  const route = classifyInboundRequest({
    httpMethod: "POST",
    protocolVersionHeader: REVISION,
    mcpMethodHeader: "tools/call",
    mcpNameHeader: tool.tool.name,
    body: message,
  });
  return (
    route.kind === "modern" && route.messageKind === "request" && route.classification.revision === REVISION
  );
}

/**
 * Answers a plain call as a server would. A server and a transport made for one call, as the library has it, cost
 * as much as the call itself.
 */
export async function answerPlainCall({
  request,
  message,
  host,
}: Posted & { host: ToolHost }): Promise<Response> {
  const { name, arguments: args } = message["params"] as {
    name: string;
    arguments?: Record<string, unknown>;
  };
  const result = await callTool(host, name, args, { signal: request.signal });
  const _meta = { [SERVER_INFO_META_KEY]: SERVER_INFO };
  return Response.json({
    result: { ...result, resultType: "complete", _meta },
    jsonrpc: "2.0",
    id: message["id"],
  });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const objectOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});
