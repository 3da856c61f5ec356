#!/usr/bin/env node
// @ts-check
// The one file in JavaScript: for TypeScript Node would load its compiler before it could be told to keep
// what that compiles.
import { existsSync } from "node:fs";
import { enableCompileCache, getCompileCacheDir } from "node:module";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";

// What Node compiles is kept in the user's own folder for caches: the next start takes half the time. Never
// in the system's folder for temporary files: what others can write must not be run. A service's user may
// have a home that isn't there; it stays so.
const { HOME, XDG_CACHE_HOME } = process.env;
const caches = XDG_CACHE_HOME || (HOME && existsSync(HOME) && join(HOME, ".cache"));
if (caches && getCompileCacheDir() === undefined) enableCompileCache(join(caches, "letterslot"));

// While modules load, the space for young objects may not grow: it would keep 30 MB that only a busy process
// needs.
setFlagsFromString("--semi-space-growth-factor=1");
const { start } = await import("./start.ts");
const { boundYoungSpace } = await import("./young-space.ts");
boundYoungSpace();

await start(process.argv.slice(2));
