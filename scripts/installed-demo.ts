import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { chromium, type Page } from "playwright-core";
import { folderIn, type Started, shellOf, start } from "./installed-project.ts";
import { provideNeeds } from "./needs.ts";
import { CommandFailed } from "./run-command.ts";

const LINE = ["npx", "-y", "letterslot", "demo"];
/** Promised is that the verdicts are there 5 seconds after the program's first line; many installs run beside it here. */
const PROMISED_MS = 5_000;
const BUSY = 4;
const PATIENCE_MS = 180_000;

interface Demo {
  object: string;
  approval_url: string;
  mcp: string;
}

/**
 * Runs the README's first line in an empty folder, where nothing is installed: a person's browser gets from the link that
 * the demo prints to an approved mail, and a model's client finds the task by the line that the demo prints.
 */
export async function tryDemo(registry_url: string, log: (line: string) => void): Promise<void> {
  const { CHROMIUM_PATH: executablePath = "" } = await provideNeeds(() => undefined, ["Chromium"]);
  const home = mkdtempSync(join(tmpdir(), "first-minutes-"));
  const env = await shellOf(home, registry_url);
  const began = performance.now();
  const demo = start(LINE[0] ?? "", LINE.slice(1), folderIn(home, "empty"), env);
  try {
    const told = await untilTold(demo);
    await approve(told.approval_url, executablePath);
    await findTask(told.mcp, folderIn(home, "elsewhere"), env);
    const verdicts_ms = demo.lines().findLast(({ text }) => text.includes('"verdict"'))?.ms ?? began;
    const spent = verdicts_ms - (demo.lines()[0]?.ms ?? began);
    if (spent > PROMISED_MS * BUSY) throw new Error(`the demo's verdicts took ${Math.round(spent)} ms`);
    log(
      `"${LINE.join(" ")}": verdicts in ${Math.round(spent)} ms, approved in a browser; a model finds the task`,
    );
  } finally {
    await demo.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

async function untilTold({ child, lines, said }: Started): Promise<Demo> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end && child.exitCode === null; await after(50)) {
    const line = lines().find(({ text }) => text.startsWith('{"object":"demo"'));
    if (line !== undefined) return JSON.parse(line.text) as Demo;
  }
  throw new CommandFailed(LINE.join(" "), "it told nothing", said());
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

/** A model's client starts the line's program, and finds the owner's task. */
async function findTask(line: string, cwd: string, env: Record<string, string>): Promise<void> {
  const [command = "", ...args] = line.split(" ");
  const client = new Client({ name: "model", version: "1" });
  await client.connect(new StdioClientTransport({ command, args, cwd, env }), { timeout: PATIENCE_MS });
  const { structuredContent } = await client.callTool({ name: "list_tasks", arguments: {} });
  await client.close();
  if (!JSON.stringify(structuredContent).includes("Order paper"))
    throw new Error(`a model sees ${JSON.stringify(structuredContent)}`);
}
