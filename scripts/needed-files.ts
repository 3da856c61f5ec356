import { existsSync, globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { ROOT } from "./run-command.ts";

const TESTS = [
  "{test,scripts,bench,examples}/**/*.test.ts",
  "packages/*/{src,test,testing,conformance}/**/*.test.ts",
];
/** It names every program, and no test needs them for that. */
const LIST = "scripts/needs.ts";
/** Files of the workspace that a file names: those that it imports, runs in a thread, or starts. */
const NAMED = /"(\.{1,2}\/[^"\n]+\.tsx?)"|new URL\("([^"\n]+\.tsx?)"/g;

/** The test files that vitest runs for `filters` (parts of paths, as on its command line; none mean all). */
export function testsFor(filters: readonly string[]): string[] {
  const parts = filters.map((filter) =>
    posix.normalize(filter.replace(`${ROOT}/`, "").replace(/:\d+$/, "")).replace(/\/$/, ""),
  );
  return globSync(TESTS, { cwd: ROOT, exclude: ["**/node_modules/**"] }).filter(
    (path) => parts.length === 0 || parts.some((part) => path.includes(part)),
  );
}

/** The texts of test files and of all that they name, however far. */
export function textsBehind(tests: readonly string[]): string[] {
  const texts = new Map<string, string>();
  const open = [...tests];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (path === LIST || texts.has(path) || !existsSync(join(ROOT, path))) continue;
    const text = readFileSync(join(ROOT, path), "utf8");
    texts.set(path, text);
    for (const [, imported, started] of text.matchAll(NAMED))
      open.push(posix.join(posix.dirname(path), imported ?? started ?? ""));
  }
  return [...texts.values()];
}
