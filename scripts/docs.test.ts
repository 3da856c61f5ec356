import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { SECTIONS } from "../docs/.vitepress/contents.ts";
import { ROOT } from "./run-command.ts";

const PAGES = ["*.md", "docs/**/*.md", "examples/*.md", "packages/*/*.md", "packages/*/skills/**/*.md"];
const pages = globSync(PAGES, { cwd: ROOT });

/** The Markdown of a page without its fenced code. */
const proseOf = (page: string) =>
  readFileSync(join(ROOT, page), "utf8").replaceAll(/^(```+|~~~+).*\n[\s\S]*?^\1$/gm, "");

/** Words that people read: letters or digits between blanks, outside of tables. */
const wordsOf = (page: string): number =>
  proseOf(page)
    .replaceAll(/^\|.*$/gm, "")
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

describe("the site", () => {
  test("has no page of over 1,500 words", () => {
    const written = pages.filter((page) => /^docs\/(?:concepts\/)?[^/]+$/.test(page));
    expect(written.length).toBeGreaterThan(60);
    expect(written.filter((page) => wordsOf(page) > 1_500)).toEqual([]);
  });

  test("lists each page once in its sidebar", () => {
    const listed = SECTIONS.flatMap(({ kind, pages: own, parts = [] }) =>
      [...own, ...parts.flatMap((part) => part.pages)].map((name) =>
        kind === "guides" ? `docs/${name}.md` : `docs/${kind}/${name}.md`,
      ),
    );
    const written = pages.filter(
      (page) => /^docs\/(?:concepts\/)?[^/]+$/.test(page) && page !== "docs/index.md",
    );
    expect(listed.toSorted()).toEqual(written.toSorted());
  });
});

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
