import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CLIENTS, cliVersion, isOnNpm, PAGES, turned, withVersion } from "./first-lines.ts";
import { ROOT } from "./run-command.ts";

const read = (page: string): string => readFileSync(join(ROOT, page), "utf8");
/** The first command of a page's first block. */
const firstCommand = (text: string): string => /```sh\n(\S+ -y \S+)/.exec(text)?.[1] ?? "";

describe.each(PAGES)("%s", (page) => {
  test("leads with what works now", () => {
    expect(turned(page, read(page), isOnNpm())).toBe(read(page));
  });

  test("turns around at the release, and back, with nothing else changed", () => {
    const [clone, npm] = [turned(page, read(page), false), turned(page, read(page), true)];
    expect(firstCommand(clone)).toBe("npx -y pnpm@12");
    expect(clone).toMatch(/[Ff]rom npm \(0\.1 and later\)/);
    expect(firstCommand(npm)).toMatch(/^npx -y (?:letterslot|@letterslot\/cli)$/);
    expect(npm).toMatch(/From a clone/);
    expect(npm).not.toMatch(/0\.1 and later/);
    expect(turned(page, npm, false)).toBe(clone);
    expect(turned(page, clone, true)).toBe(npm);
  });

  test("whose lines were written by hand is told", () => {
    expect(() => turned(page, "# Something else\n", true)).toThrow(/other first lines/);
  });
});

test.each(CLIENTS)("the lines of %s for programs name the version, and follow it", (file) => {
  expect(withVersion(read(file), cliVersion())).toBe(read(file));
  expect(withVersion(read(file), "7.3.1")).toContain("@letterslot/cli@7.3");
});

test("no other file has such a line", () => {
  const having = execFileSync(
    "git",
    ["grep", "-lE", '@letterslot/cli(@[0-9.]+)?((", "| )mcp| init --url)', "--", "*.md", "*.ts", "*.tsx"],
    {
      cwd: ROOT,
      encoding: "utf8",
    },
  );
  expect(
    having
      .trim()
      .split("\n")
      .filter((file) => !file.startsWith("scripts/")),
  ).toEqual(CLIENTS.toSorted());
});
