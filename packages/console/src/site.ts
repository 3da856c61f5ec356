import { spawn } from "node:child_process";
import { existsSync, globSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** How it stands with the built site: its folder, or that it isn't there yet, or that Vite failed, with its exit code. */
export type SiteState = { folder: string } | "building" | { failed: number | null };

/** A package whose site is built when it is first asked for. */
export interface Site {
  /** Builds it if it is stale; never waits. */
  state(): SiteState;
}

/** The sources of the site: its own, the client that it calls, the look and the limits. */
const SOURCES = [
  ...["app/**/*", "vite.config.ts", "../client/src/**/*.ts"],
  ...["../core/src/catalogue/*.ts"],
];
const LINES_LOGGED = 20;
const CHARS_KEPT = 20_000;

/** The site of the package in a folder; `log` is told why a build failed. */
export function createSite(root: string, log: (text: string) => void): Site {
  const site = join(root, "dist/site");
  const index = join(site, "index.html");
  let building = false;
  let looked = false;
  let failed: { code: number | null } | undefined;

  function isStale(): boolean {
    if (!existsSync(join(root, "app"))) return false;
    if (!existsSync(index)) return true;
    const built = statSync(index).mtimeMs;
    return globSync(SOURCES, { cwd: root }).some((file) => statSync(join(root, file)).mtimeMs > built);
  }

  function build(): void {
    building = true;
    const vite = join(root, "node_modules/vite/bin/vite.js");
    const program = spawn(process.execPath, [vite, "build", "--logLevel", "error"], {
      cwd: root,
      // Whatever this process is, a test too: what is shown is what is published.
      env: { ...process.env, NODE_ENV: "production" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    program.stderr.setEncoding("utf8").on("data", (part: string) => {
      said = (said + part).slice(-CHARS_KEPT);
    });
    const end = (code: number | null, why = said) => {
      building = false;
      if (code === 0) return;
      failed = { code };
      const last = why.trim().split("\n").slice(-LINES_LOGGED).join("\n");
      log(`The console could not be built (exit code ${code ?? "unknown"}):\n${last}\n`);
    };
    program.once("close", (code) => end(code));
    program.once("error", (error) => end(null, error.message));
  }

  return {
    state() {
      if (!looked) {
        looked = true;
        if (isStale()) build();
      }
      if (building) return "building";
      // Somebody may have built it by hand since.
      if (failed !== undefined && isStale()) return { failed: failed.code };
      return existsSync(index) ? { folder: site } : "building";
    },
  };
}

/** This package's own, from its source and from what is built alike. It is published as built. */
export const ownSite = createSite(join(dirname(fileURLToPath(import.meta.url)), ".."), (text) => {
  process.stderr.write(text);
});

/** The folder of the built site; undefined while it isn't built. */
export function siteDirectory(): string | undefined {
  const state = ownSite.state();
  return typeof state === "object" && "folder" in state ? state.folder : undefined;
}
