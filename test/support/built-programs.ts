import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build, type Options } from "tsup";
import { PATHS_PLUGIN, REQUIRE, workersOf } from "../../scripts/tsup-base.ts";

/** The variable with the folder of the test run's build. */
const FOLDER = "LETTERSLOT_TEST_PROGRAMS";
const PACKAGES = fileURLToPath(new URL("../../packages/", import.meta.url));
/** The programs by the name of their file in the build: the two that are published, and those that only tests run. */
const SOURCES = {
  main: join(PACKAGES, "server/src/main.js"),
  letterslot: join(PACKAGES, "cli/src/main.js"),
  "mcp-stdio-program": fileURLToPath(new URL("mcp-stdio-program.ts", import.meta.url)),
  "crash-writer": fileURLToPath(
    new URL("../../packages/adapter-sqlite/test/crash-writer.ts", import.meta.url),
  ),
};
/** Has native code, isn't installed, or is another platform's. */
const OUTSIDE = /^(?:better-sqlite3|pg-native|cloudflare:.*)$/;
const ASKED = Symbol();
const BUILD_MS = 120_000;

/** The folder with the test run's build, made when the first test needs it. */
const folder = process.env[FOLDER];

/**
 * The part of the tests' own environment that programs inherit: no setting, and a cache of compiled code that lasts as
 * long as the build.
 */
export const BARE_ENVIRONMENT = {
  PATH: process.env["PATH"] ?? "",
  HOME: process.env["HOME"] ?? "",
  ...(folder !== undefined && { XDG_CACHE_HOME: join(folder, "cache") }),
};

/** Vitest's globalSetup: names the folder of a build that the first test to need it makes. */
export function setup(): void {
  // Within the package, where Node finds the library with native code, which stays outside.
  process.env[FOLDER] ??= join(PACKAGES, `server/node_modules/.cache/test-programs-${process.pid}`);
}

/** Vitest's globalSetup: removes the build. */
export function teardown(): void {
  const used = process.env[FOLDER];
  delete process.env[FOLDER];
  if (used !== undefined) rmSync(used, { recursive: true, force: true });
}

/**
 * The server's program, built with its libraries into few files for this run of tests, because that starts in a
 * fifth of the time. Outside of a run, its source.
 */
export const builtServer = (): Promise<string> => built("main");

/** The command-line program, built likewise. */
export const builtCli = (): Promise<string> => built("letterslot");

/** A program that serves MCP over standard input and output, built likewise. */
export const builtMcpProgram = (): Promise<string> => built("mcp-stdio-program");

/** The program of SQLite's crash test, built likewise. */
export const builtCrashWriter = (): Promise<string> => built("crash-writer");

async function built(program: keyof typeof SOURCES): Promise<string> {
  if (folder === undefined) return SOURCES[program];
  const result = join(folder, "result");
  if (mkdirSync(folder, { recursive: true }) !== undefined) {
    const failure = await buildPrograms(folder).then(
      () => "",
      (error: unknown) => String(error),
    );
    writeFileSync(`${result}.new`, failure);
    writeFileSync(result, failure);
  }
  for (const end = performance.now() + BUILD_MS; !existsSync(result); await after(20))
    if (performance.now() > end) throw new Error(`the programs were not built in ${BUILD_MS / 1000} s`);
  const failure = readFileSync(result, "utf8");
  if (failure !== "") throw new Error(failure);
  return join(folder, `dist/${program}.js`);
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

async function buildPrograms(target: string): Promise<void> {
  const workers = globSync("*/src", { cwd: PACKAGES })
    .map((sources) => join(PACKAGES, sources, ".."))
    .flatMap((directory) => workersOf(directory).map((path) => join(directory, path)));
  writeFileSync(join(target, "package.json"), readFileSync(join(PACKAGES, "server/package.json")));
  await build({
    config: false,
    entry: { ...SOURCES, ...Object.fromEntries(workers.map((path) => [basename(path, ".ts"), path])) },
    outDir: join(target, "dist"),
    format: "esm",
    target: "node22",
    platform: "node",
    splitting: true,
    sourcemap: false,
    silent: true,
    removeNodeProtocol: false,
    external: [OUTSIDE],
    noExternal: [new RegExp(`^(?!${OUTSIDE.source.slice(1)})`)],
    esbuildPlugins: [PATHS_PLUGIN, librariesOnDemand],
    banner: { js: REQUIRE },
  });
}
