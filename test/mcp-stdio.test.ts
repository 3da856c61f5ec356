import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TestAccount } from "../packages/core/testing/index.ts";
import { type Served, serve } from "../packages/server/testing/serve.ts";
import { builtMcpProgram } from "./support/built-programs.ts";
import { casesOf } from "./support/case-count.ts";
import { connectMcp, LINES, type Line, type McpClient } from "./support/mcp-clients.ts";

const main = await builtMcpProgram();

let served: Served;
let account: TestAccount;
let open: McpClient[] = [];
let signed_up = 0;

beforeAll(async () => {
  served = await serve();
});
beforeEach(async () => {
  await served.clock.advance(3600_000);
  account = await served.signUp(`stdio${(signed_up += 1)}`);
  return async () => {
    await Promise.all(open.map((client) => client.close()));
    open = [];
  };
});
afterAll(() => served.close());

const environment = () => ({
  BASE_URL: served.base_url,
  API_KEY: account.api_key,
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? "",
});

async function connect(line: Line): Promise<McpClient> {
  const client = await connectMcp(line, { command: process.execPath, args: [main], env: environment() });
  open.push(client);
  return client;
}

const receive = (subject: string, to = account.inbox.email) =>
  served.receive({ from: "eve@example.com", to, subject, text: "Hello." });

async function waitsOpen(): Promise<number> {
  const held = { where: { expires_at: { gt: served.clock.now().toISOString() } }, limit: 100 };
  return (await served.letterslot.services.storage.find("slots", held)).length;
}

describe.each(LINES)("over standard input and output, a client (%s)", (line) => {
  /** What doesn't depend on how a client speaks. */
  const once_is_enough = casesOf(line === "newest", true);

  test("reads mail by tools and resources", async () => {
    await receive("Invoice");
    const { client, call } = await connect(line);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("list_messages");
    const list = await call("list_messages", { inbox_id: account.inbox.id });
    expect(list.content[0]?.text).toContain("Invoice");
    const uri = `letterslot://inbox/${account.inbox.email}`;
    const { contents } = await client.readResource({ uri });
    expect(contents).toMatchObject([{ uri, text: expect.stringContaining("Invoice") }]);
  });

  test.runIf(once_is_enough)("frees the place of a wait that it cancels", async () => {
    const { call } = await connect(line);
    const cancel = new AbortController();
    const waiting = call(
      "wait_for_mail",
      { inbox_id: account.inbox.id, wait: 55 },
      { signal: cancel.signal },
    );
    waiting.catch(() => undefined);
    await expect.poll(waitsOpen).toBe(1);
    cancel.abort();
    await expect(waiting).rejects.toThrow(/abort/i);
    await expect.poll(waitsOpen).toBe(0);
  });

  test.runIf(once_is_enough)("frees the place of a wait by going away", async () => {
    const { call, close } = await connect(line);
    call("wait_for_mail", { inbox_id: account.inbox.id, wait: 55 }).catch(() => undefined);
    await expect.poll(waitsOpen).toBe(1);
    await close();
    await expect.poll(waitsOpen).toBe(0);
  });

  test("is told of what happens in an inbox that it subscribed to, until it doesn't any more", async () => {
    const { client } = await connect(line);
    const uri = `letterslot://inbox/${account.inbox.email}`;
    const told: string[] = [];
    const end = await subscribe(line, client, uri, told);
    await receive("First");
    await expect.poll(() => told).toEqual([uri]);
    await end();
    // The server handles the calls below after the end of the subscription.
    await client.listTools();
    await receive("Second");
    await client.listPrompts();
    expect(told).toEqual([uri]);
  });

  test.runIf(once_is_enough)("can't subscribe to an inbox that its key doesn't reach", async () => {
    const { client } = await connect(line);
    const told: string[] = [];
    await expect(
      subscribe(line, client, "letterslot://inbox/nobody@letterslot.localhost", told),
    ).rejects.toThrow(/not/i);
  });
});

/** Subscribes as the line does; the answered function ends it. Fails where the server doesn't honour it. */
async function subscribe(
  line: Line,
  client: McpClient["client"],
  uri: string,
  told: string[],
): Promise<() => Promise<unknown>> {
  if (line === "newest") {
    client.setNotificationHandler(
      "notifications/resources/updated",
      ({ params }) => void told.push(params.uri),
    );
    const subscription = await client.listen({ resourceSubscriptions: [uri] });
    if (subscription.honoredFilter.resourceSubscriptions?.includes(uri) !== true)
      throw new Error("the subscription is not honoured");
    return () => subscription.close();
  }
  const seen = ({ method, params }: { method: string; params?: unknown }) => {
    if (method === "notifications/resources/updated") told.push((params as { uri: string }).uri);
    return Promise.resolve();
  };
  client.fallbackNotificationHandler = seen;
  await client.subscribeResource({ uri });
  return () => client.unsubscribeResource({ uri });
}

describe("the program", () => {
  const start = () =>
    spawn(process.execPath, [main], { env: { ...process.env, ...environment() }, stdio: "pipe" });

  test("writes nothing but the protocol, one message on a line", async () => {
    const program = start();
    const lines: string[] = [];
    program.stdout.setEncoding("utf8").on("data", (text: string) => void lines.push(text));
    program.stdin.write("no protocol at all\n");
    program.stdin.write(
      `${JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: {
          protocolVersion: "2025-11-25",
          capabilities: {},
          clientInfo: { name: "test", version: "0" },
        },
      })}\n`,
    );
    await expect.poll(() => lines.join("")).toMatch(/\n$/);
    program.stdin.end();
    const [status] = (await once(program, "exit")) as [number];
    expect(status).toBe(0);
    for (const line of lines.join("").trimEnd().split("\n"))
      expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  });

  test("ends with its input", async () => {
    const program = start();
    program.stdin.end();
    expect(await once(program, "exit")).toEqual([0, null]);
  });
});
