import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT, run } from "./run-command.ts";

const RESULT = join(ROOT, "test-output/vitest.json");

interface VitestResult {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { status: string; assertionResults: unknown[] }[];
}

/**
 * Runs the tests and says how many passed and failed, in the words `N passed, N failed`; a file that could
 * not be loaded counts as one failure. Without `filters` all tests run, core's feature tests on each database
 * too, with coverage and its thresholds; with filters only those that match, without.
 */
export async function runVitest(
  env: Record<string, string>,
  filters: string[],
): Promise<{ summary: string; failed: boolean }> {
  rmSync(RESULT, { force: true });
  mkdirSync(dirname(RESULT), { recursive: true });
  const coverage = filters.length === 0 ? ["--coverage"] : [];
  // All of them on every storage; what one person tries again and again, in memory unless they say otherwise.
  const storages = filters.length === 0 ? { LETTERSLOT_TEST_STORAGE: "memory,sqlite,postgres" } : {};
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${RESULT}`];
  const failed = await run("vitest", ["run", ...coverage, ...reporters, ...filters], {
    env: { ...env, ...storages },
  }).then(
    () => false,
    () => true,
  );
  const { passed, failures } = readResult();
  return { summary: `${passed} passed, ${failures} failed`, failed: failed || failures > 0 };
}

function readResult(): { passed: number; failures: number } {
  const result = readJson(RESULT);
  if (!result) return { passed: 0, failures: 1 };
  const unloaded = result.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  );
  return { passed: result.numPassedTests, failures: result.numFailedTests + unloaded.length };
}

function readJson(path: string): VitestResult | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as VitestResult;
  } catch {
    return undefined;
  }
}
