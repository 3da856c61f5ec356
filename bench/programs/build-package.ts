import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Options } from "tsup";

/**
 * Builds the package in the current folder, as it is published but without declarations, notices and guides, into the
 * folder that the first argument names. A process of its own, because tsup looks for dependencies where it runs.
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
