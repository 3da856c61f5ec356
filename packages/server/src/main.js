#!/usr/bin/env node
// @ts-check
// Plain JavaScript, because Node would load its TypeScript compiler before the compile cache below is enabled.
// Older versions of Node read this file too, so it imports nothing that they don't have before the check.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const manifest = new URL("../package.json", import.meta.url);
const needed = /[\d.]+/.exec(JSON.parse(readFileSync(manifest, "utf8")).engines.node)?.[0] ?? "";
if (process.versions.node.localeCompare(needed, "en", { numeric: true }) < 0) {
  process.stderr.write(
    `letterslot-server needs Node ${needed} or newer, and this is Node ${process.versions.node}. Install a newer one from https://nodejs.org.\n`,
  );
  process.exit(1);
}
const { enableCompileCache, getCompileCacheDir } = await import("node:module");
const { setFlagsFromString } = await import("node:v8");

// Compiled code is cached in the user's own cache folder, which halves the next start. Never in the system's
// temporary folder: code that others can write must not be run. If the home folder does not exist, as for some
// service users, nothing is cached.
const { HOME, XDG_CACHE_HOME } = process.env;
const caches = XDG_CACHE_HOME || (HOME && existsSync(HOME) && join(HOME, ".cache"));
if (caches && getCompileCacheDir() === undefined) enableCompileCache(join(caches, "letterslot"));

// The young generation must not grow while modules load: it would keep 30 MB that only a busy process needs.
setFlagsFromString("--semi-space-growth-factor=1");
const { start } = await import("./process/start.ts");
const { limitYoungSpace } = await import("./process/memory.ts");
limitYoungSpace();

await start(process.argv.slice(2), manifest);
