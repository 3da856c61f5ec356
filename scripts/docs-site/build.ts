import { createHash } from "node:crypto";
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { readSite, type SiteIndex } from "../../packages/server/src/docs/site.ts";
import { ROOT, run } from "../run-command.ts";
import { pictures, sitePages, writePages } from "./pages.ts";

const SITE = join(ROOT, "docs/.vitepress");
/** The site as a static folder, to publish anywhere. */
const FOLDER = join(SITE, "dist");
/** The same in one file, which the server reads and ships with. */
const PACKED = join(SITE, "site.pack");

/** The files that decide how the pages look, and the versions of what builds them. */
const LOOKS = ["docs/.vitepress/*.ts", "docs/.vitepress/theme/*", "scripts/docs-site/*.ts"];

/** Builds the site, unless it was built from just this. Returns whether it had to. */
export async function buildSite(): Promise<boolean> {
  const pages = await sitePages();
  const source = sourceOf(pages);
  if ((await readSite())?.source === source) return false;
  writePages(pages, join(SITE, "pages"));
  rmSync(FOLDER, { recursive: true, force: true });
  await run("vitepress", ["build", "docs"], { quiet: true });
  // The Markdown of each page beside it, as the server has it too.
  for (const [path, text] of pages)
    if (path.endsWith(".md") && path !== "index.md") writeFileSync(join(FOLDER, path), text);
  writeFileSync(PACKED, pack(source));
  return true;
}

/** The hash of all that the site is made of. */
function sourceOf(pages: ReadonlyMap<string, string>): string {
  const hash = createHash("sha256");
  for (const [path, text] of pages) hash.update(`${path}\n${text}\n`);
  for (const path of [...LOOKS.flatMap((each) => globSync(each, { cwd: ROOT })), ...pictures()].toSorted())
    hash.update(path).update(readFileSync(join(ROOT, path)));
  return hash.digest("hex");
}

/** The folder in one file: a line of JSON that says what is where, and the files, each compressed. */
function pack(source: string): Buffer {
  const files: SiteIndex["files"] = {};
  const script_hashes = new Set<string>();
  const parts: Buffer[] = [];
  let start = 0;
  for (const path of globSync("**/*.{html,js,css,svg}", { cwd: FOLDER }).toSorted()) {
    const content = readFileSync(join(FOLDER, path));
    if (path.endsWith(".html"))
      for (const [, script = ""] of content
        .toString("utf8")
        .matchAll(/<script(?![^>]* src=)[^>]*>(.*?)<\/script>/gs))
        script_hashes.add(`sha256-${createHash("sha256").update(script).digest("base64")}`);
    const gzipped = gzipSync(content, { level: 9 });
    const etag = createHash("sha256").update(content).digest("base64url").slice(0, 22);
    files[path.replaceAll("\\", "/")] = [start, gzipped.length, `W/"${etag}"`];
    parts.push(gzipped);
    start += gzipped.length;
  }
  const index: SiteIndex = { source, script_hashes: [...script_hashes], files };
  return Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...parts]);
}
