#!/usr/bin/env node
// @ts-check
// Plain JavaScript, because Node would load its TypeScript compiler before the compile cache below is enabled.
// Older versions of Node read this file too, so it imports nothing that they don't have before the check.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const needed = /[\d.]+/.exec(manifest.engines.node)?.[0] ?? "";
// Without localeCompare, which would load the rules of languages.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const [least_major = 0, least_minor = 0] = needed.split(".").map(Number);
if (major < least_major || (major === least_major && minor < least_minor)) {
  process.stderr.write(
    `letterslot needs Node ${needed} or newer, and this is Node ${process.versions.node}. Install a newer one from https://nodejs.org.\n`,
  );
  process.exit(1);
}
const { enableCompileCache, getCompileCacheDir } = await import("node:module");

// In the user's own cache folder, as the server does: code that others can write must not be run.
const { HOME, XDG_CACHE_HOME } = process.env;
const caches = XDG_CACHE_HOME || (HOME && existsSync(HOME) && join(HOME, ".cache"));
if (caches && getCompileCacheDir() === undefined) enableCompileCache(join(caches, "letterslot"));

const { runCli } = await import("./cli.ts");
process.exitCode = await runCli(process.argv.slice(2), {
  // Each is opened when it is used, which costs: standard input hardly ever is.
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return process.stdout;
  },
  get stderr() {
    return process.stderr;
  },
  env: process.env,
  version: manifest.version,
  on: (event, listener) => process.on(event, listener),
  exit: (code) => process.exit(code),
});
