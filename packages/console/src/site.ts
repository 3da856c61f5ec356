import { spawn } from "node:child_process";
import { existsSync, globSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The package's folder, from its source and from what is built alike. */
const PACKAGE = join(dirname(fileURLToPath(import.meta.url)), "..");
const SITE = join(PACKAGE, "dist/site");
const INDEX = join(SITE, "index.html");

/** The sources of the site: its own, the client that it calls, the look and the limits. */
const SOURCES = [
  ...["app/**/*", "vite.config.ts", "../client/src/**/*.ts"],
  ...["../core/src/catalogue/*.ts"],
];

let building = false;
let looked = false;

/**
 * The folder of the built site; undefined while it is being built. It is published as built; in a clone of the
 * repository it is built when it is first asked for, and anew when its source is newer.
 */
export function siteDirectory(): string | undefined {
  if (!looked) {
    looked = true;
    if (isStale()) build();
  }
  return building || !existsSync(INDEX) ? undefined : SITE;
}

function isStale(): boolean {
  if (!existsSync(join(PACKAGE, "app"))) return false;
  const sources = globSync(SOURCES, { cwd: PACKAGE });
  if (!existsSync(INDEX)) return true;
  const built = statSync(INDEX).mtimeMs;
  return sources.some((file) => statSync(join(PACKAGE, file)).mtimeMs > built);
}

function build(): void {
  building = true;
  const vite = join(PACKAGE, "node_modules/vite/bin/vite.js");
  const program = spawn(process.execPath, [vite, "build", "--logLevel", "error"], {
    cwd: PACKAGE,
    // Whatever this process is, a test too: what is shown is what is published.
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  program.once("close", () => (building = false));
  program.once("error", () => (building = false));
}
