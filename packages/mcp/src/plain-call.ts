import { classifyInboundRequest, SERVER_INFO_META_KEY } from "@modelcontextprotocol/server";
import type { McpExchange } from "./exchange.ts";
import { SERVER_INFO } from "./protocol.ts";
import { callTool } from "./tools/call-tool.ts";
import { TOOLS } from "./tools/catalogue.ts";

/** A POST with its body read. */
type Posted = Pick<McpExchange, "headers" | "message">;

/** The revision of the protocol in which plain calls are answered. */
const REVISION = "2026-07-28";
const METHOD = "tools/call";
/** All that the message of a plain call has, and its params. */
const FIELDS: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);
const PARAMS: ReadonlySet<string> = new Set(["name", "arguments", "_meta"]);

/**
 * Whether a request is a call of a tool that needs nothing of the protocol but one answer: in the newest revision,
 * of a tool that doesn't wait, with no progress to tell, and nothing in it to refuse.
 */
export function isPlainCall({ headers, message }: Posted): boolean {
  const { jsonrpc, id, method } = message;
  const params = objectOf(message["params"]);
  const { name, arguments: args, _meta } = params;
  const tool = typeof name === "string" ? TOOLS.get(name) : undefined;
  if (tool === undefined || "wait" in tool.operation.input.shape) return false;
  if (jsonrpc !== "2.0" || method !== METHOD || !(typeof id === "string" || Number.isSafeInteger(id)))
    return false;
  if (headers.get("mcp-protocol-version") !== REVISION) return false;
  if (headers.get("mcp-method") !== METHOD || headers.get("mcp-name") !== name) return false;
  if (!hasOnly(message, FIELDS) || !hasOnly(params, PARAMS) || !(args === undefined || isObject(args)))
    return false;
  return isObject(_meta) && _meta["progressToken"] === undefined && isAccepted(_meta);
}

/** Request metadata that the library has accepted: each client sends the same again and again. */
const accepted = new Set<string>();
const MAX_ACCEPTED = 1_000;
const MAX_META_CHARS = 2_000;

/** Whether the library accepts a client's metadata about itself and the protocol. */
function isAccepted(_meta: Record<string, unknown>): boolean {
  const said = JSON.stringify(_meta);
  if (said.length > MAX_META_CHARS) return false;
  if (accepted.has(said)) return true;
  const route = classifyInboundRequest({
    ...{ httpMethod: "POST", protocolVersionHeader: REVISION, mcpMethodHeader: METHOD, mcpNameHeader: "any" },
    body: { jsonrpc: "2.0", id: 1, method: METHOD, params: { name: "any", _meta } },
  });
  if (route.kind !== "modern" || route.classification.revision !== REVISION) return false;
  if (accepted.size >= MAX_ACCEPTED) accepted.clear();
  accepted.add(said);
  return true;
}

/**
 * Answers a plain call as a server would. A server and a transport made for one call, as the library has it, cost
 * as much as the call itself.
 */
export async function answerPlainCall({
  message,
  signal,
  host,
}: Pick<McpExchange, "message" | "signal" | "host">): Promise<Response> {
  const { name, arguments: args } = message["params"] as {
    name: string;
    arguments?: Record<string, unknown>;
  };
  const result = await callTool(host, name, args, { signal });
  const _meta = { ...result._meta, [SERVER_INFO_META_KEY]: SERVER_INFO };
  return Response.json({
    result: { ...result, resultType: "complete", _meta },
    jsonrpc: "2.0",
    id: message["id"],
  });
}

const hasOnly = (value: Record<string, unknown>, names: ReadonlySet<string>): boolean =>
  Object.keys(value).every((name) => names.has(name));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const objectOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});
