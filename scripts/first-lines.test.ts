import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isOnNpm, PAGES, turned } from "./first-lines.ts";
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
