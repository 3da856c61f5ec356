import { setTimeout as pause } from "node:timers/promises";
import { type CallToolResult, Server } from "@modelcontextprotocol/server";

const SCHEMA_2020_12 = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
  additionalProperties: false,
} as const;

const NOTHING = { type: "object" } as const;
const text = (words: string) => ({ type: "text" as const, text: words });

/**
 * Creates the fixtures that the official conformance suite expects of a tested server, as far as ours has them at all.
 */
export async function createFixtureServer(): Promise<Server> {
  const server = new Server(
    { name: "fixtures", version: "0" },
    { capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} } },
  );
  server.setRequestHandler("tools/list", () => ({
    tools: [
      { name: "test_simple_text", inputSchema: NOTHING },
      { name: "test_error_handling", inputSchema: NOTHING },
      { name: "test_tool_with_progress", inputSchema: NOTHING },
      { name: "json_schema_2020_12_tool", inputSchema: SCHEMA_2020_12 },
    ],
  }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }): Promise<CallToolResult> => {
    if (params.name === "test_error_handling")
      return { isError: true, content: [text("This tool intentionally returns an error for testing")] };
    const progressToken = mcpReq._meta?.progressToken;
    if (params.name === "test_tool_with_progress" && progressToken !== undefined)
      for (const progress of [0, 50, 100]) {
        await mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken, progress, total: 100 },
        });
        await pause(10);
      }
    return { content: [text("This is a simple text response for testing.")] };
  });
  server.setRequestHandler("resources/list", () => ({
    resources: [{ uri: "test://static-text", name: "static text", mimeType: "text/plain" }],
  }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [{ uriTemplate: "test://template/{id}/data", name: "template" }],
  }));
  server.setRequestHandler("resources/read", ({ params: { uri } }) => ({
    contents: [{ uri, mimeType: "text/plain", text: `This is the content of ${uri}.` }],
  }));
  server.setRequestHandler("prompts/list", () => ({
    prompts: [
      { name: "test_simple_prompt" },
      { name: "test_prompt_with_arguments", arguments: [{ name: "arg1" }, { name: "arg2" }] },
    ],
  }));
  server.setRequestHandler("prompts/get", ({ params }) => ({
    messages: [{ role: "user", content: text(`A prompt with ${JSON.stringify(params.arguments ?? {})}.`) }],
  }));
  server.setRequestHandler("completion/complete", () => ({ completion: { values: ["paris", "park"] } }));
  return server;
}
