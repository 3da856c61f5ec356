import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build, type Options } from "tsup";
import { REQUIRE, workersOf } from "../../../scripts/tsup-base.ts";

/** The variable with the folder of the test run's build. */
const FOLDER = "LETTERSLOT_TEST_SERVER";
const PACKAGES = fileURLToPath(new URL("../../", import.meta.url));
const SOURCE = join(PACKAGES, "server/src/main.js");
/** Has native code, isn't installed, or is another platform's. */
const OUTSIDE = /^(?:better-sqlite3|pg-native|cloudflare:.*)$/;
const ASKED = Symbol();
const BUILD_MS = 120_000;

/** Vitest's globalSetup: names the folder of a build that the first test to need it makes. */
export function setup(): void {
  // Within the package, where Node finds the library with native code, which stays outside.
  process.env[FOLDER] ??= join(PACKAGES, `server/node_modules/.cache/test-server-${process.pid}`);
}

/** Vitest's globalSetup: removes the build. */
export function teardown(): void {
  const folder = process.env[FOLDER];
  delete process.env[FOLDER];
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}

/**
 * The server's program, built with its libraries into few files for this run of tests, because that starts in a
 * fifth of the time. Outside of a run, its source.
 */
export async function builtServer(): Promise<string> {
  const folder = process.env[FOLDER];
  if (folder === undefined) return SOURCE;
  const [main, result] = [join(folder, "dist/main.js"), join(folder, "result")];
  if (mkdirSync(folder, { recursive: true }) !== undefined) {
    const failure = await buildServer(folder).then(
      () => "",
      (error: unknown) => String(error),
    );
    writeFileSync(`${result}.new`, failure);
    writeFileSync(result, failure);
  }
  for (const end = performance.now() + BUILD_MS; !existsSync(result); await after(20))
    if (performance.now() > end) throw new Error(`the server was not built in ${BUILD_MS / 1000} s`);
  const failure = readFileSync(result, "utf8");
  if (failure !== "") throw new Error(failure);
  return main;
}

/** Leaves out libraries that are loaded on demand: built in, those in CommonJS would lose the names they export. */
const librariesOnDemand: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "libraries-on-demand",
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[^.]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      const own = path.startsWith("@letterslot/") || path.startsWith("node:") || OUTSIDE.test(path);
      if (kind !== "dynamic-import" || own || pluginData === ASKED) return undefined;
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: ASKED });
      return { path: found.path, external: true };
    });
  },
};

async function buildServer(folder: string): Promise<void> {
  const workers = globSync("*/src", { cwd: PACKAGES })
    .map((sources) => join(PACKAGES, sources, ".."))
    .flatMap((directory) => workersOf(directory).map((path) => join(directory, path)));
  writeFileSync(join(folder, "package.json"), readFileSync(join(PACKAGES, "server/package.json")));
  await build({
    config: false,
    entry: { main: SOURCE, ...Object.fromEntries(workers.map((path) => [basename(path, ".ts"), path])) },
    outDir: join(folder, "dist"),
    format: "esm",
    target: "node22",
    platform: "node",
    splitting: true,
    sourcemap: false,
    silent: true,
    removeNodeProtocol: false,
    external: [OUTSIDE],
    noExternal: [new RegExp(`^(?!${OUTSIDE.source.slice(1)})`)],
    esbuildPlugins: [librariesOnDemand],
    banner: { js: REQUIRE },
  });
}
