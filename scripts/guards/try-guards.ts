import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../run-command.ts";
import type { Guard } from "./guard.ts";

/** The result of removing a guard: its tests fail (`seen`), pass (`unseen`), or did not run (`broken`). */
export type Outcome = "seen" | "unseen" | "broken";

interface VitestResult {
  numPassedTests: number;
  numFailedTests: number;
}

/** Runs the guard's tests in a copy of the workspace without the guard, and restores the files. */
export async function tryGuard(folder: string, guard: Guard, env: Record<string, string>): Promise<Outcome> {
  const before = new Map(guard.out.map(([file]) => [file, readFileSync(join(folder, file), "utf8")]));
  for (const [file, text, without = ""] of guard.out) {
    const source = readFileSync(join(folder, file), "utf8");
    writeFileSync(
      join(folder, file),
      source.replace(text, () => without),
    );
  }
  const { failed, passed } = await runTests(folder, guard, env);
  for (const [file, source] of before) writeFileSync(join(folder, file), source);
  if (failed > 0) return "seen";
  return passed > 0 ? "unseen" : "broken";
}

/** Whether the guard's tests exist and pass with the guard in place. */
export async function passesWith(
  folder: string,
  guard: Guard,
  env: Record<string, string>,
): Promise<boolean> {
  const { failed, passed } = await runTests(folder, guard, env);
  return failed === 0 && passed > 0;
}

/** A file that fails to load has neither passed nor failed tests, which proves nothing. */
async function runTests(
  folder: string,
  { test: [file, name] }: Guard,
  env: Record<string, string>,
): Promise<{ passed: number; failed: number }> {
  const result = join(folder, "guards.json");
  rmSync(result, { force: true });
  const only = name === undefined ? [] : ["--testNamePattern", name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")];
  const reporters = ["--reporter=json", `--outputFile=${result}`];
  // Vitest exits with an error when a test fails, which is expected here; its report has the counts.
  await run("vitest", ["run", "--root", folder, "--bail=1", ...reporters, ...only, file], {
    cwd: folder,
    env,
    quiet: true,
  }).catch(() => undefined);
  try {
    const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(
      readFileSync(result, "utf8"),
    ) as VitestResult;
    return { passed, failed };
  } catch {
    return { passed: 0, failed: 0 };
  }
}
