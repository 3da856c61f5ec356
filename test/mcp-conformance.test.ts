import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveRequests } from "../packages/mcp/src/http.ts";
import type { ToolHost } from "../packages/mcp/src/index.ts";
import { type Served, serve } from "../packages/server/testing/serve.ts";
import { casesOf } from "./support/case-count.ts";
import { createFixtureServer } from "./support/mcp-fixtures.ts";

/** The official conformance tool. */
const TOOL = fileURLToPath(
  new URL("../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url),
);

let served: Served;
let door: Server;
let shipped: string;
let fixtures: { url: string; close(): Promise<void> };

beforeAll(async () => {
  door = createServer();
  door.listen(0, "localhost");
  await once(door, "listening");
  const base_url = `http://localhost:${(door.address() as AddressInfo).port}`;
  shipped = `${base_url}/mcp`;
  served = await serve({ config: { baseUrl: base_url } });
  const { api_key } = await served.signUp("ada");
  // The tool sends no key: callers at this door get one.
  door.on("request", (incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const { port } = new URL(served.base_url);
    const onward = request({
      ...{ host: "127.0.0.1", port, method, path: url },
      headers: { ...headers, authorization: `Bearer ${api_key}` },
    });
    onward.on("response", (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  fixtures = await serveFixtures();
});
afterAll(async () => {
  door.closeAllConnections();
  door.close();
  await Promise.all([served.close(), fixtures.close()]);
});

/** The handler of `/mcp` over a server with the fixtures that the tool asks for. */
async function serveFixtures() {
  const mcp = serveRequests(createFixtureServer, {});
  const caller = async () => ({ id: "key_1", type: "key", permissions: null, inbox_ids: null });
  const host = { caller } as unknown as ToolHost;
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (incoming.method !== "POST") return void outgoing.writeHead(405).end();
    const message = (await json(incoming)) as Record<string, unknown>;
    const headers = incoming.headers as Record<string, string>;
    const posted = new Request("http://localhost/mcp", { method: "POST", headers });
    const answered = await mcp.answer({
      ...{ headers: posted.headers, signal: posted.signal, request: () => posted, message, host },
      open: async () => host,
    });
    outgoing.writeHead(answered.status, Object.fromEntries(answered.headers));
    for await (const piece of answered.body ?? []) outgoing.write(piece);
    outgoing.end();
  }
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, close };
}

async function conform(url: string, scenario: string): Promise<string> {
  const run = promisify(execFile)(process.execPath, [TOOL, "server", "--url", url, "--scenario", scenario]);
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  return stdout;
}

test.each([
  ...["server-initialize", "tools-list", "dns-rebinding-protection"],
  ...casesOf([], ["ping", "resources-list", "prompts-list"]),
])("the server as it is shipped conforms: %s", async (scenario) => {
  expect(await conform(shipped, scenario)).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/);
});

test.each([
  ...["tools-call-error", "tools-call-with-progress", "resources-templates-read", "prompts-get-with-args"],
  ...casesOf(
    [],
    [
      ...["tools-call-simple-text", "json-schema-2020-12", "resources-read-text", "prompts-get-simple"],
      "completion-complete",
    ],
  ),
])("its handler conforms with what the suite expects behind it: %s", async (scenario) => {
  expect(await conform(fixtures.url, scenario)).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/);
});
