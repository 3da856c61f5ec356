import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Options } from "tsup";
import { emitDeclarations } from "./declarations.ts";
import { noticesPlugin } from "./third-party-notices.ts";

interface Manifest {
  exports: Record<string, string>;
  bin?: Record<string, string>;
}

/** A package's build settings beyond the common ones. */
interface BuildOptions {
  /**
   * Packages used only for their types, and the program that prints these into the file that it is given: they are
   * bundled into the declarations.
   */
  typesFrom?: Record<string, string>;
  /** Makes declarations, by source, that replace what the compiler makes of it. */
  declares?: () => Record<string, string>;
  /**
   * Builds libraries among the dev dependencies into the package, with their licences beside: those of which it
   * needs a small part (docs/decisions/0034). `commonjs` if one of them is.
   */
  bundleLibraries?: "modules" | "commonjs";
  /**
   * Replaces the modules `*.data.ts` by their exports as JSON, instead of the code that computes them: for facts of
   * other packages that are too costly to compute at each start.
   */
  computesData?: true;
  /** Files to put beside the built code: a folder in `dist`, and the pattern of its files. */
  copies?: Record<string, string>;
}

/** CommonJS libraries ask for Node's modules with `require`, which a module doesn't have. */
export const REQUIRE = `import { createRequire as __createRequire } from "node:module";
const require = __createRequire(import.meta.url);`;

/**
 * The tsup settings of a published package, without declarations if tsup is told so (`dts: false`). Its entries are the sources named by `exports` and `bin` in its
 * package.json, and the worker threads: every `*-worker.ts` in `src` that uses `parentPort`.
 */
export const buildOf =
  (directory: string, options: BuildOptions = {}) =>
  (given: Options): Options =>
    settingsOf(directory, options, given.dts !== false);

function settingsOf(directory: string, options: BuildOptions, declares: boolean): Options {
  const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as Manifest;
  const workers = workersOf(directory);
  const sources = [
    ...new Set([...Object.values(manifest.exports), ...Object.values(manifest.bin ?? {}), ...workers]),
  ];
  const missing = sources.filter((source) => !existsSync(join(directory, source)));
  if (missing.length > 0) throw new Error(`package.json names ${missing.join(", ")}, which does not exist`);

  return {
    entry: Object.fromEntries(sources.map((source) => [outputName(source), source])),
    format: "esm",
    target: "node22",
    platform: "node",
    clean: true,
    splitting: true,
    silent: true,
    removeNodeProtocol: false,
    ...(options.bundleLibraries === "commonjs" ? { banner: { js: REQUIRE } } : {}),
    async onSuccess() {
      for (const [folder, pattern] of Object.entries(options.copies ?? {})) copy(directory, pattern, folder);
    },
    esbuildOptions(settings) {
      settings.minifyWhitespace = options.bundleLibraries !== undefined;
    },
    esbuildPlugins: [
      ...(options.bundleLibraries === undefined ? [] : [noticesPlugin(join(directory, "dist"))]),
      PATHS_PLUGIN,
      ...(options.computesData === true ? [DATA_PLUGIN] : []),
    ],
    tsconfig: join(directory, "../../tsconfig.json"),
    dts:
      declares &&
      Object.keys(manifest.exports).length > 0 &&
      declarationsOf(directory, Object.values(manifest.exports), options),
  };
}

/** The declarations of the exports, of which tsup makes few files. */
function declarationsOf(
  directory: string,
  sources: string[],
  options: BuildOptions,
): Exclude<Options["dts"], boolean | string | undefined> {
  const { files, paths } = emitDeclarations(directory, sources, options.typesFrom, options.declares);
  const entry = Object.fromEntries(
    Object.entries(files).map(([source, declared]) => [outputName(source), declared]),
  );
  return { entry, compilerOptions: { paths } };
}

/** A path of the repository, and on the same line the one that the built code has in its place. */
const BUILT_PATH = /"\.[^"\n]*"(.*?)\s*\/\/ built: (\S+)$/gm;

/** Writes built paths in the places of those of the repository, so that bundlers find what the code starts and reads. */
export const PATHS_PLUGIN: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "built-paths",
  setup({ onLoad }) {
    onLoad({ filter: /\/packages\/[^/]+\/src\/.*\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      if (!source.includes("// built: ")) return undefined;
      return { contents: source.replace(BUILT_PATH, '"$2"$1'), loader: "ts" };
    });
  },
};

/** Writes down what modules `*.data.ts` export, as JSON. */
export const DATA_PLUGIN: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "computed-data",
  setup({ onLoad }) {
    onLoad({ filter: /\.data\.ts$/ }, async ({ path }) => {
      const found = Object.entries((await import(pathToFileURL(path).href)) as Record<string, unknown>);
      const exported = found.map(
        ([name, value]) => `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(value))});`,
      );
      return { contents: exported.join("\n"), loader: "js" };
    });
  },
};

function copy(directory: string, pattern: string, folder: string): void {
  const target = join(directory, "dist", folder);
  mkdirSync(target, { recursive: true });
  const files = globSync(pattern, { cwd: directory });
  if (files.length === 0) throw new Error(`there is no ${pattern}: build all with \`pnpm build\``);
  for (const file of files) copyFileSync(join(directory, file), join(target, basename(file)));
}

/** The entries of a package's worker threads, relative to it. */
export const workersOf = (directory: string): string[] =>
  globSync("src/**/*-worker.ts", { cwd: directory })
    .filter((path) => readFileSync(join(directory, path), "utf8").includes("parentPort"))
    .map((path) => `./${path}`);

/**
 * `./src/index.ts` becomes `dist/index.js`, and `./src/tools/index.ts` `dist/tools/index.js`. Any other file goes into
 * the root, next to the code that starts it as a worker thread: `./src/process/start.ts` becomes `dist/start.js`.
 */
function outputName(source: string): string {
  const name = source
    .replace(/^\.\//, "")
    .replace(/^src\//, "")
    .replace(/\.(?:tsx?|js)$/, "");
  return basename(name) === "index" ? name : basename(name);
}
