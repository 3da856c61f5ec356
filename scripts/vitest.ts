import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT, run } from "./run-command.ts";

const RESULT = join(ROOT, "test-output/vitest.json");
/** Threads and commands that tests start load the sources compiled, in half the time. */
const COMPILED = join(ROOT, "node_modules/.cache/compiled");

interface VitestResult {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    name: string;
    status: string;
    startTime: number;
    endTime: number;
    assertionResults: unknown[];
  }[];
}

/**
 * Runs the tests and returns a summary `N passed, N failed`; a file that failed to load counts as one failure.
 * Without `filters` all tests run, and a branch of a rule that no test takes is a failure; with filters only matching
 * tests. The environment may say where feature tests store (`vitest.config.ts`).
 */
export async function runVitest(
  env: Record<string, string>,
  filters: string[],
): Promise<{ summary: string; failed: boolean }> {
  rmSync(RESULT, { force: true });
  mkdirSync(dirname(RESULT), { recursive: true });
  const coverage = filters.length === 0 && env["LETTERSLOT_TEST_STORAGE"] === undefined ? ["--coverage"] : [];
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${RESULT}`];
  const failed = await run("vitest", ["run", ...coverage, ...reporters, ...filters], {
    env: { ...env, NODE_COMPILE_CACHE: COMPILED },
  }).then(
    () => false,
    () => true,
  );
  if (filters.length === 0) reportConsole();
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

/** Says how much of the tests' time those of the console took: a quarter is the most that they should. */
function reportConsole(): void {
  const files = readJson(RESULT)?.testResults ?? [];
  const seconds = (some: typeof files) =>
    some.reduce((sum, { startTime, endTime }) => sum + endTime - startTime, 0) / 1000;
  const all = seconds(files);
  const browser = seconds(files.filter(({ name }) => name.startsWith(join(ROOT, "test/console/"))));
  const share = Math.round((browser / all) * 100);
  console.log(
    `test/console took ${Math.round(browser)} s of ${Math.round(all)} s of test time (${share} %).`,
  );
}

function readJson(path: string): VitestResult | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as VitestResult;
  } catch {
    return undefined;
  }
}
