import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Manifest, outdatedFiles, withAbsoluteLinks, withLinks } from "./manifests.ts";
import { ROOT } from "./run-command.ts";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const NEEDED_NODE = "22.19";
const published = globSync("packages/*/package.json", { cwd: ROOT })
  .map((path) => ({ path, manifest: JSON.parse(read(path)) as Manifest & { name: string } }))
  .filter(({ manifest }) => manifest.private !== true);

describe("where the project is", () => {
  const manifest = { name: "@letterslot/core", license: "Apache-2.0", type: "module" };

  test("is said by each package, by one address", () => {
    expect(withLinks(manifest, "packages/core", "https://github.com/owner/name")).toEqual({
      ...manifest,
      homepage: "https://github.com/owner/name/tree/main/packages/core#readme",
      bugs: "https://github.com/owner/name/issues",
      repository: {
        type: "git",
        url: "git+https://github.com/owner/name.git",
        directory: "packages/core",
      },
    });
  });

  test("is left out until it is known, and replaced when it changes", () => {
    const moved = withLinks(manifest, "packages/core", "https://github.com/owner/old");
    expect(withLinks(moved, "packages/core", undefined)).toEqual(manifest);
    expect(withLinks(moved, "packages/core", "https://github.com/owner/name")).toEqual(
      withLinks(manifest, "packages/core", "https://github.com/owner/name"),
    );
  });

  test("begins each link of a package's README into the repository", () => {
    const readme = "[a](../../docs/a.md#b), [c](../core/README.md), [d](https://example.com)";
    const links = withAbsoluteLinks(readme, "packages/cli", "https://github.com/owner/old");
    expect(links).toBe(
      "[a](https://github.com/owner/old/blob/main/docs/a.md#b), " +
        "[c](https://github.com/owner/old/blob/main/packages/core/README.md), [d](https://example.com)",
    );
    expect(withAbsoluteLinks(links, "packages/cli", "https://github.com/owner/name")).toBe(
      links.replaceAll("/old/", "/name/"),
    );
  });

  test("is as the root's package.json says: `node scripts/manifests.ts` writes it", () => {
    expect(outdatedFiles().map(({ path }) => path)).toEqual([]);
  });
});

describe.each(published)("$manifest.name", ({ path, manifest }) => {
  test("says which Node it needs, as the README does", () => {
    expect(manifest["engines"]).toEqual({ node: `>=${NEEDED_NODE}` });
    expect(read("README.md")).toContain(`The packages need Node ${NEEDED_NODE} or newer.`);
  });

  test("has a README of a page: what it is, how it is installed, a few lines of code, a link", () => {
    expect(existsSync(join(ROOT, dirname(path), "README.md"))).toBe(true);
    const text = read(join(dirname(path), "README.md"));
    expect(text.startsWith(`# ${manifest.name}\n`)).toBe(true);
    expect(text).toContain(`npm install ${manifest.name}`);
    const language = Object.keys(manifest["exports"] as object).length === 0 ? "sh" : "ts";
    expect(text).toMatch(new RegExp(`\`\`\`${language}\n(?:.*\n){3,}?\`\`\``));
    expect(text).toContain("/blob/main/README.md)");
    for (const [, path = ""] of text.matchAll(/\/blob\/main\/([^)#]+)/g))
      expect([path, existsSync(join(ROOT, path))]).toEqual([path, true]);
    expect(text.split("\n").length).toBeLessThan(60);
  });

  test("is published with its changes, and the skills that it has for agents", () => {
    const skills = existsSync(join(ROOT, dirname(path), "skills")) ? ["skills"] : [];
    expect(manifest["files"]).toEqual(["dist", ...skills, "CHANGELOG.md"]);
  });
});

test("a release is published with provenance", () => {
  const workflow = read(".github/workflows/release.yml");
  expect(workflow).toContain("id-token: write");
  expect(workflow).toContain("NPM_CONFIG_PROVENANCE: true");
});
