import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { defineConfig } from "tsup";

interface Manifest {
  exports: Record<string, string>;
  bin?: Record<string, string>;
}

/** What a package's build adds to the common settings. */
interface BuildOptions {
  /** Workspace packages of which only the types are used: those go into the declarations. */
  bundleTypes?: string[];
}

/**
 * The tsup settings of one published package. Its entries are the `exports` and `bin` of its package.json,
 * which name the sources, and the worker threads: every `*-worker.ts` in `src` that has a `parentPort`. A worker
 * is built into the root of `dist`, where the code that starts it looks for it.
 */
export function buildOf(directory: string, options: BuildOptions = {}) {
  const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as Manifest;
  const workers = globSync("src/**/*-worker.ts", { cwd: directory })
    .filter((path) => readFileSync(join(directory, path), "utf8").includes("parentPort"))
    .map((path) => `./${path}`);
  const sources = [
    ...new Set([...Object.values(manifest.exports), ...Object.values(manifest.bin ?? {}), ...workers]),
  ];
  const missing = sources.filter((source) => !existsSync(join(directory, source)));
  if (missing.length > 0) throw new Error(`package.json names ${missing.join(", ")}, which does not exist`);

  return defineConfig({
    entry: Object.fromEntries(
      sources.map((source) => [
        workers.includes(source) ? basename(source, ".ts") : outputName(source),
        source,
      ]),
    ),
    format: "esm",
    target: "node22",
    platform: "node",
    clean: true,
    splitting: true,
    silent: true,
    removeNodeProtocol: false,
    tsconfig: join(directory, "../../tsconfig.json"),
    dts: {
      compilerOptions: {
        paths: sourcesOf(options.bundleTypes ?? [], directory),
      },
    },
  });
}

/**
 * Path mappings for the declarations: a package that is mapped to its source is bundled, any other stays an
 * import.
 */
function sourcesOf(names: string[], directory: string): Record<string, string[]> {
  return Object.fromEntries(
    names.map((name) => [name, [join(directory, "..", name.replace("@letterslot/", ""), "src/index.ts")]]),
  );
}

/** `./src/index.ts` is built as `dist/index.js`; what lies beside `src` keeps its folder. */
function outputName(source: string): string {
  return source
    .replace(/^\.\//, "")
    .replace(/^src\//, "")
    .replace(/\.(?:tsx?|js)$/, "");
}
