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

/** Runs a line of the README that installs packages. */
export async function runLine(line: string, project: string): Promise<void> {
  const [command = "", ...args] = line.split(" ");
  await run(command, [...args, "--prefer-offline"], { cwd: project, quiet: true });
}
