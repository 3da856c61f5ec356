import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Options } from "tsup";

/**
 * Builds the package in the current folder, as published but without declarations, notices and guides, into the folder
 * that the first argument names. It is a separate process because tsup resolves dependencies from its working
 * directory.
 */
const [outDir = ""] = process.argv.slice(2);
const config = pathToFileURL(join(process.cwd(), "tsup.config.ts")).href;
const { default: settings } = (await import(config)) as { default: (given: Options) => Options };
const { onSuccess: _, ...options } = settings({ dts: false });
await build({
  ...options,
  config: false,
  outDir,
  esbuildPlugins: (options.esbuildPlugins ?? []).filter(({ name }) => name !== "third-party-notices"),
});
