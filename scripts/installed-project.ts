import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LocalRegistry } from "./local-registry.ts";
import { run } from "./run-command.ts";

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
