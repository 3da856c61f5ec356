import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "./run-command.ts";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const MAX_WORDS = 700;
const MAX_LINES = 110;

/** The rows of a page's first table that compares, without its sources: what is compared, and a word for each product. */
function comparedIn(page: string): string[][] {
  const rows = page.split("\n").filter((line) => /^\| [^-]/.test(line));
  return rows.slice(1).map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.replace(/:.*|\[\d+\]/g, "").trim()),
  );
}

describe("the README", () => {
  test("is a page that one reads", () => {
    const words = read("README.md").match(/\S*[\p{L}\p{N}]\S*/gu) ?? [];
    expect(words.length).toBeLessThanOrEqual(MAX_WORDS);
    expect(read("README.md").split("\n").length).toBeLessThanOrEqual(MAX_LINES);
  });

  test("says of others what the comparison says", () => {
    expect(comparedIn(read("README.md"))).toEqual(comparedIn(read("docs/comparison.md")));
  });
});

describe("the comparison", () => {
  const page = read("docs/comparison.md");
  const [before = "", sources = ""] = page.split("## Sources");

  test("names a source for each number in it, and no source without one", () => {
    const cited = new Set([...before.matchAll(/\[(\d+)\](?!\()/g)].map(([, number]) => number));
    const listed = [...sources.matchAll(/^(\d+)\. /gm)].map(([, number]) => number);
    expect(new Set(listed)).toEqual(cited);
    for (const source of sources.split(/^\d+\. /m).slice(1)) expect(source).toMatch(/<https:\/\/[^>]+>/);
  });

  test("says when it was read, and names no price", () => {
    expect(page).toMatch(/^Read on \d{1,2} \p{L}+ \d{4}/mu);
    expect(page).not.toMatch(/[$€£]\s?\d/);
  });
});

test("documents call the command by its package: a bare name would be fetched from whoever owns it", () => {
  const files = execFileSync("git", ["ls-files", "*.md", "*.ts", "*.json"], { cwd: ROOT, encoding: "utf8" });
  const bare = files
    .split("\n")
    .filter((file) => file !== "" && file !== "README.md" && !file.startsWith("packages/letterslot/"))
    .filter((file) => file !== "scripts/readme.test.ts" && /npx (?:-y )?letterslot\b(?!-)/.test(read(file)));
  expect(bare).toEqual([]);
});
