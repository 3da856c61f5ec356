import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, test } from "vitest";
import { builtCli } from "../support/built-programs.ts";
import { startCliWorldWithAccount } from "./cli-world.ts";

const main = await builtCli();

const PATIENT = { timeout: 110_000 };

let world: Awaited<ReturnType<typeof startCliWorldWithAccount>>;
beforeAll(async () => {
  world = await startCliWorldWithAccount();
});
afterAll(() => world?.close());

const start = (env: Record<string, string>) =>
  new StdioClientTransport({ command: process.execPath, args: [main, "mcp"], env, stderr: "pipe" });

test("letterslot mcp serves a client that starts it, with the profile's key", async () => {
  const client = new Client({ name: "test", version: "0" });
  await client.connect(start(world.env), PATIENT);
  const { tools } = await client.listTools({}, PATIENT);
  expect(tools.length).toBeGreaterThan(20);
  const found = await client.callTool({ name: "list_inboxes", arguments: {} });
  expect(JSON.stringify(found.content)).toContain(world.email);
  await client.close();
});

test("without a key it says on standard error how to get one, and ends", async () => {
  const transport = start({ ...world.env, XDG_CONFIG_HOME: "/nowhere" });
  let said = "";
  transport.stderr?.on("data", (part: Buffer) => (said += part.toString()));
  await expect(new Client({ name: "test", version: "0" }).connect(transport)).rejects.toThrow("closed");
  expect(said).toContain("letterslot init");
});
