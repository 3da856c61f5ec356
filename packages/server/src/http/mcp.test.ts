import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

let served: Served;
let key: string;

beforeAll(async () => {
  served = await serve();
  key = (await served.signUp("ada")).api_key;
});
afterAll(() => served.close());

const HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

const post = (message: unknown, headers: Record<string, string> = {}, to = served) =>
  fetch(`${to.base_url}/mcp`, {
    method: "POST",
    headers: { ...HEADERS, authorization: `Bearer ${key}`, ...headers },
    body: JSON.stringify(message),
  });

const call = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });
const INITIALIZE = call("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "0" },
});

describe("the MCP server over HTTP", () => {
  test("answers the handshake and lists tools", async () => {
    const answer = await post(INITIALIZE);
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { result: { protocolVersion: "2025-11-25", serverInfo: { name: "letterslot" } } },
    ]);
    const tools = await (await post(call("tools/list"))).json();
    expect(tools).toMatchObject({
      result: { tools: expect.arrayContaining([expect.objectContaining({ name: "whoami" })]) },
    });
  });
});
