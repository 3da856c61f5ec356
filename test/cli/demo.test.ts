import { spawn } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startLetterslot } from "../../packages/cli/test/run-process.ts";
import { builtCli } from "../support/built-programs.ts";
import { until } from "../support/until.ts";

const main = await builtCli();
let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "demo-test-"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const environment = () => ({ HOME: home, XDG_CONFIG_HOME: join(home, "config"), TMPDIR: home });
const profiles = () =>
  (JSON.parse(readFileSync(join(home, "config/letterslot/config.json"), "utf8")) as { profiles: object })
    .profiles;
const folders = () => globSync("letterslot-demo-*", { cwd: home });

interface Demo {
  object: string;
  url: string;
  approval_url: string;
  console_url: string;
  mcp: string;
}

/** Starts the demo and waits until it has told everything. */
async function startDemo() {
  const run = startLetterslot(["demo"], environment());
  const demo = await until("the demo", () => run.records().find(({ object }) => object === "demo"));
  return { run, demo: demo as unknown as Demo };
}

test("the demo tells three verdicts, and a model is Ada by its line, which holds no key, until Ctrl-C", async () => {
  const { run, demo } = await startDemo();
  expect(run.records().filter(({ object }) => object === "verdict")).toMatchObject([
    {
      from: "olga@owner.example",
      outcome: "task",
      reasons: [expect.stringContaining("owner.example"), expect.anything()],
    },
    {
      from: "olga@owner.example",
      outcome: "no_task",
      reasons: [expect.stringMatching(/^No valid DKIM/), expect.stringContaining("forged")],
    },
    {
      from: "service@shop.example",
      outcome: "held",
      reasons: expect.arrayContaining([expect.stringContaining("AI assistant")]),
    },
  ]);
  expect(demo.mcp).toMatch(/^npx -y @letterslot\/cli@\d+\.\d+\.\d+ mcp --profile demo$/);

  const client = new Client({ name: "model", version: "0" });
  const args = [main, "mcp", "--profile", "demo"];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: environment() }));
  const { structuredContent } = await client.callTool({ name: "list_tasks", arguments: {} });
  expect(structuredContent).toMatchObject({ data: [{ subject: "Order paper", trusted: true }] });
  await client.close();

  const page = await fetch(demo.approval_url, { headers: { accept: "text/html" } });
  expect(await page.text()).toContain("orders@paper.example");
  // A program that is built for tests has not the pages, which stand in a folder of their own.
  const { headers } = await fetch(demo.console_url);
  expect(headers.get("content-security-policy")).toContain("default-src 'none'; ");
  expect(folders()).toHaveLength(1);
  run.kill("SIGINT");
  expect((await run.ended).code).toBe(0);
  expect([folders(), profiles()]).toEqual([[], {}]);
  await expect(fetch(demo.url)).rejects.toThrow("fetch failed");
});

test("what a killed demo left is gone at the next start, and what is no demo's stays", async () => {
  const { run } = await startDemo();
  run.kill("SIGKILL");
  await run.ended;
  expect(folders()).toHaveLength(1);
  const neighbour = spawn("sleep", ["60"]);
  const running = join(home, `letterslot-demo-${neighbour.pid}-abc`);
  mkdirSync(running);
  const { run: second } = await startDemo();
  expect(folders()).toHaveLength(2);
  second.kill("SIGTERM");
  await second.ended;
  neighbour.kill();
  expect([folders().length, existsSync(running)]).toEqual([1, true]);
});
