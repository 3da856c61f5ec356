/** @letterslot/mcp: an inbox as tools, resources and prompts for language models. */

export { calledTool, largestBody, permissionFor } from "./access.ts";
export type { McpExchange } from "./exchange.ts";
export { createMcpHttp, type McpHttp, type McpHttpOptions } from "./http.ts";
export { type StdioOptions, type StdioServer, serveStdio } from "./stdio.ts";
export { callTool, type ToolCallOptions, type ToolResult } from "./tools/call-tool.ts";
export { hostOf, hostOfClient, type ToolCaller, type ToolHost } from "./tools/host.ts";
export { type OfferedTool, toolsOf } from "./tools/list.ts";
export type { Progress } from "./tools/wait.ts";
