import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { chromium, type Page } from "playwright-core";
import { folderIn, linesOf, type Started, shellOf, start, type } from "./installed-project.ts";
import { provideNeeds } from "./needs.ts";
import { CommandFailed } from "./run-command.ts";

/** The README's first line. */
const DEMO_LINE = ["npx", "-y", "letterslot", "demo"].join(" ");
/** The block of docs/mcp.md with which a model answers an owner's task with a file begins with this line. */
const FIRST_LINE = "npx -y @letterslot/cli demo";
/** Promised is that verdicts and link are there 5 seconds after the program's first line; many installs run beside it here. */
const PROMISED_MS = 5_000;
const BUSY = 4;
const PATIENCE_MS = 180_000;

interface Demo {
  object: string;
  url: string;
  approval_url: string;
  mcp: string;
}

/**
 * Runs the README's first line in an empty folder, where nothing is installed: a person's browser gets from the link that
 * the demo prints to an approved mail, and a model's client finds the task by the line that the demo prints.
 */
export async function tryDemo(registry_url: string, log: (line: string) => void): Promise<void> {
  const { CHROMIUM_PATH: executablePath = "" } = await provideNeeds(() => undefined, ["Chromium"]);
  await withDemo(DEMO_LINE, registry_url, async (told, { ms, home, env }) => {
    await approve(told.approval_url, executablePath);
    await withModel(told.mcp, folderIn(home, "elsewhere"), env, async (call) => {
      const found = JSON.stringify(await call("list_tasks", {}));
      if (!found.includes("Order paper")) throw new Error(`a model sees ${found}`);
    });
    if (ms > PROMISED_MS * BUSY) throw new Error(`the demo's verdicts and link took ${Math.round(ms)} ms`);
    log(
      `"${DEMO_LINE}": verdicts and link in ${Math.round(ms)} ms, approved in a browser; a model finds the task`,
    );
  });
}

/**
 * Types the three lines of docs/mcp.md in an empty folder, where nothing is installed: an MCP client, which they connect,
 * answers the owner's task with a file that they write, and the answer is sent with it.
 */
export async function tryAnswerWithFile(registry_url: string, log: (line: string) => void): Promise<void> {
  const [demo = "", write = "", connect = "", ...more] = linesOf("docs/mcp.md", FIRST_LINE);
  if (more.length > 0) throw new Error(`docs/mcp.md has three lines that begin with ${FIRST_LINE}`);
  await withDemo(demo, registry_url, async ({ url }, { home, env }) => {
    const folder = folderIn(home, "model");
    await type(write, folder, env);
    await withModel(connect.split(" -- ")[1] ?? "", folder, env, async (call) => {
      const { data } = (await call("list_tasks", {})) as { data: { id: string; subject: string }[] };
      const task_id = data.find(({ subject }) => subject === "Order paper")?.id;
      const answer = { task_id, text: "Here is the offer.", file: "offer.txt", request_id: "answer-1" };
      const sent = JSON.stringify(await call("reply_to_task", answer));
      if (!sent.includes('"offer.txt"')) throw new Error(`a model's answer is ${sent}`);
    });
    const outbox = await (await fetch(`${url}/outbox`)).text();
    if (!outbox.includes("Re: Order paper")) throw new Error(`the answer isn't among ${outbox}`);
    log("the three lines of docs/mcp.md: a model answers an owner's task with a file");
  });
}

/** Runs a line that starts the demo in an empty folder, and then `work` with what it told and when. */
async function withDemo(
  line: string,
  registry_url: string,
  work: (told: Demo, at: { ms: number; home: string; env: Record<string, string> }) => Promise<void>,
): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "first-minutes-"));
  const env = await shellOf(home, registry_url);
  const [command = "", ...args] = line.split(" ");
  const demo = start(command, args, folderIn(home, "empty"), env);
  try {
    const told = await untilTold(demo, line);
    // npm may have warned before.
    const first = demo.lines().find(({ text }) => text.startsWith("Letterslot, "));
    if (first === undefined) throw new CommandFailed(line, "it does not begin as it should", demo.said());
    await work(told.demo, { ms: told.ms - first.ms, home, env });
  } finally {
    await demo.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

async function untilTold(
  { child, lines, said }: Started,
  typed: string,
): Promise<{ demo: Demo; ms: number }> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end && child.exitCode === null; await after(50)) {
    const line = lines().find(({ text }) => text.startsWith('{"object":"demo"'));
    if (line !== undefined) return { demo: JSON.parse(line.text) as Demo, ms: line.ms };
  }
  throw new CommandFailed(typed, "it told nothing", said());
}

/** A person's way: the page says where the code is, and the code lets the mail leave. */
async function approve(url: string, executablePath: string): Promise<void> {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    await page.goto(url);
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    const opened = page.waitForEvent("popup");
    await page.getByRole("link", { name: /outbox/ }).click();
    const code = await codeIn(await opened);
    await page.getByLabel("Code").fill(code);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "This was approved" }).waitFor();
  } finally {
    await browser.close();
  }
}

/** The code in the newest letter of the outbox to sign in with. */
async function codeIn(outbox: Page): Promise<string> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await outbox.reload()) {
    const letter = outbox.getByRole("link", { name: /sign.?in|code/i }).first();
    if ((await letter.count()) === 0) continue;
    await letter.click();
    const [, code] = /\b(\d{6})\b/.exec(await outbox.locator("pre").first().innerText()) ?? [];
    if (code !== undefined) return code;
    await outbox.goBack();
  }
  throw new Error("no letter with a code came");
}

type Call = (name: string, args: Record<string, unknown>) => Promise<unknown>;

/** A model's client starts the line's program, and `work` calls its tools; a call that fails throws. */
async function withModel(
  line: string,
  cwd: string,
  env: Record<string, string>,
  work: (call: Call) => Promise<void>,
): Promise<void> {
  const [command = "", ...args] = line.split(" ");
  const client = new Client({ name: "model", version: "1" });
  await client.connect(new StdioClientTransport({ command, args, cwd, env }), { timeout: PATIENCE_MS });
  try {
    await work(async (name, args_of_tool) => {
      const answer = await client.callTool({ name, arguments: args_of_tool });
      if (answer.isError === true) throw new Error(`${name} answered ${JSON.stringify(answer.content)}`);
      return answer.structuredContent;
    });
  } finally {
    await client.close();
  }
}
