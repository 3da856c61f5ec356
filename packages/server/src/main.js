#!/usr/bin/env node
// @ts-check
// Plain JavaScript, because Node would load its TypeScript compiler before the compile cache below is enabled.
import { existsSync } from "node:fs";
import { enableCompileCache, getCompileCacheDir } from "node:module";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";

// Compiled code is cached in the user's own cache folder, which halves the next start. Never in the system's
// temporary folder: code that others can write must not be run. If the home folder does not exist, as for some
// service users, nothing is cached.
const { HOME, XDG_CACHE_HOME } = process.env;
const caches = XDG_CACHE_HOME || (HOME && existsSync(HOME) && join(HOME, ".cache"));
if (caches && getCompileCacheDir() === undefined) enableCompileCache(join(caches, "letterslot"));

// The young generation must not grow while modules load: it would keep 30 MB that only a busy process needs.
setFlagsFromString("--semi-space-growth-factor=1");
const { start } = await import("./process/start.ts");
const { limitYoungSpace } = await import("./process/young-space.ts");
limitYoungSpace();

await start(process.argv.slice(2), new URL("../package.json", import.meta.url));
