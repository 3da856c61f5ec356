import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import type { LocalRegistry } from "./local-registry.ts";
import { CommandFailed, ROOT, run } from "./run-command.ts";

const START_MS = 120_000;

/** How this machine reaches registries. */
const CONNECTING = /^(?:NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|(?:https?|no)_proxy)$/i;

/** Runs `work` in a new folder whose package managers know the registry. */
export async function inProject(
  registry: LocalRegistry,
  work: (project: string) => Promise<void>,
): Promise<void> {
  const project = mkdtempSync(join(tmpdir(), "letterslot-installed-"));
  const others = (await run("npm", ["config", "get", "registry"], { quiet: true })).trim().split("\n").at(-1);
  writeFileSync(join(project, ".npmrc"), `registry=${others}\n@letterslot:registry=${registry.url}\n`);
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
  try {
    await work(project);
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

/** The lines of a page's block that begins with `first`, without their comments. */
export function linesOf(page: string, first: string): string[] {
  const blocks = readFileSync(join(ROOT, page), "utf8")
    .split("```sh\n")
    .map((part) => part.split("\n```")[0] ?? "");
  const block = blocks.find((each) => each.startsWith(first));
  if (block === undefined) throw new Error(`${page} has no block that begins with ${first}`);
  return block.split("\n").map((line) => line.replace(/\s+# .*$/, "").trim());
}

/** Runs a documented line that installs packages. */
export async function runLine(line: string, project: string): Promise<void> {
  const [command = "", ...args] = line.split(" ");
  await run(command, [...args, "--prefer-offline"], { cwd: project, quiet: true });
}

/** A program that runs. */
export interface Started {
  child: ChildProcess;
  /** All that it has printed. */
  said(): string;
  /** The whole lines that it has printed, with the time at which each was seen. */
  lines(): readonly { text: string; ms: number }[];
  /** Ends it and what it started. */
  stop(): Promise<void>;
}

/** Starts a program in a folder, with nothing but `env` in its environment. */
export function start(command: string, args: string[], cwd: string, env: Record<string, string>): Started {
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let said = "";
  const lines: { text: string; ms: number }[] = [];
  let rest = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => {
      said += text.toString();
      const parts = (rest + text.toString()).split("\n");
      rest = parts.pop() ?? "";
      lines.push(...parts.map((part) => ({ text: part, ms: performance.now() })));
    });
  const ended = once(child, "close");
  return {
    child,
    said: () => said,
    lines: () => lines,
    async stop() {
      // npx runs the program as another process of the same group.
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
      await ended;
    },
  };
}

/** A new folder in another. */
export function folderIn(home: string, name: string): string {
  const folder = join(home, name);
  mkdirSync(folder);
  return folder;
}

/**
 * The environment of a user's shell, whose package managers know the registry. What npm has fetched before is there, but no
 * program that npx installed.
 */
export async function shellOf(home: string, registry_url: string): Promise<Record<string, string>> {
  const cache =
    (await run("npm", ["config", "get", "cache"], { quiet: true })).trim().split("\n").at(-1) ?? "";
  const own = folderIn(home, "cache");
  mkdirSync(join(cache, "_cacache"), { recursive: true });
  symlinkSync(join(cache, "_cacache"), join(own, "_cacache"));
  const connecting = Object.entries(process.env).filter(([name]) => CONNECTING.test(name));
  return {
    ...(Object.fromEntries(connecting) as Record<string, string>),
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    npm_config_cache: own,
    npm_config_registry: registry_url,
    npm_config_prefer_offline: "true",
    npm_config_update_notifier: "false",
  };
}

/** Types a line in a shell, and returns what it prints. Throws with that if it fails. */
export async function type(line: string, cwd: string, shell: Record<string, string>): Promise<string> {
  const { child, said } = start("sh", ["-c", line], cwd, shell);
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new CommandFailed(line, `exit ${code}`, said());
  return said();
}

/** A port that nobody uses. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Waits until a program that was started answers requests. Throws what it said if it ends before. */
export async function untilItAnswers({ child, said }: Started, url: string): Promise<void> {
  for (const end = Date.now() + START_MS; Date.now() < end; await after(200)) {
    if (child.exitCode !== null) break;
    const answer = await fetch(url).catch(() => undefined); // it isn't up yet
    if (answer !== undefined && answer.status < 500) return;
  }
  throw new CommandFailed("the server", "it did not answer", said());
}
