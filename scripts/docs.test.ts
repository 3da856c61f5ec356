import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "./run-command.ts";

const PAGES = ["*.md", "docs/**/*.md", "examples/*.md", "packages/*/*.md", "packages/*/skills/**/*.md"];
const pages = globSync(PAGES, { cwd: ROOT });

/** The Markdown of a page without its fenced code. */
const proseOf = (page: string) =>
  readFileSync(join(ROOT, page), "utf8").replaceAll(/^(```+|~~~+).*\n[\s\S]*?^\1$/gm, "");

describe("every page of Markdown", () => {
  test.each(pages)("%s has no padded table", (page) => {
    expect(proseOf(page).match(/^\|.* {2,}.*$/gm) ?? []).toEqual([]);
  });

  test.each(pages)("%s links to files that exist", (page) => {
    const links = [...proseOf(page).matchAll(/\]\((?!https?:|mailto:|#|\/)([^)#\s]+)/g)];
    const missing = links.flatMap(([, path = ""]) =>
      existsSync(join(ROOT, dirname(page), path)) ? [] : [path],
    );
    expect(missing).toEqual([]);
  });
});
