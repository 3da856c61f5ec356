import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as EarlierStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as EarlierHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

/**
 * The official clients: of the newest line, the same speaking the earlier protocol, and the one that was before it.
 */
export const LINES = ["newest", "newest client, earlier protocol", "earlier"] as const;
export type Line = (typeof LINES)[number];

/** A tool's answer. */
export interface ToolAnswer {
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

interface CallOptions {
  signal?: AbortSignal;
  onprogress?: (progress: { progress: number; total?: number | undefined }) => void;
}

/** A connected client of either protocol version. */
export interface McpClient {
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<ToolAnswer>;
  /** The client itself, for the rest, which is the same in all lines. */
  client: Client;
  close(): Promise<void>;
}

const NAME = { name: "test", version: "0" };

/** The server that a client connects to. */
export type McpTarget =
  | { url: string; headers: Record<string, string> }
  | { command: string; args: string[]; env: Record<string, string> };

/** Connects a client of a line. */
export async function connectMcp(line: Line, target: McpTarget): Promise<McpClient> {
  if (line === "earlier") return connectEarlier(target);
  const mode = line === "newest" ? { pin: "2026-07-28" } : "legacy";
  const client = new Client(NAME, { versionNegotiation: { mode } });
  const transport =
    "url" in target
      ? new StreamableHTTPClientTransport(new URL(target.url), { requestInit: { headers: target.headers } })
      : new StdioClientTransport({ ...target, stderr: "inherit" });
  await client.connect(transport);
  return {
    client,
    call: async (name, args = {}, options) =>
      (await client.callTool({ name, arguments: args }, options)) as unknown as ToolAnswer,
    close: () => client.close(),
  };
}

async function connectEarlier(target: McpTarget): Promise<McpClient> {
  const client = new EarlierClient(NAME);
  const transport =
    "url" in target
      ? new EarlierHttp(new URL(target.url), { requestInit: { headers: target.headers } })
      : new EarlierStdio({ ...target, stderr: "inherit" });
  await client.connect(transport);
  return {
    client: client as unknown as Client,
    call: async (name, args = {}, options) =>
      (await client.callTool({ name, arguments: args }, undefined, options)) as unknown as ToolAnswer,
    close: () => client.close(),
  };
}
