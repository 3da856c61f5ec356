import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { DATA_PLUGIN, PATHS_PLUGIN } from "../../scripts/tsup-base.ts";
import { summary } from "../measure/statistics.ts";
import type { Figure, Metric } from "../metric.ts";

const PACKAGE = fileURLToPath(new URL("../../packages/cli", import.meta.url));
const RUNS = 15;
const HELP_MS = 80;

/** Measures the start-up time of the built command line against Node doing nothing. */
export const cli: Metric = {
  title: "The command line's --help, from start to end",
  async measure({ rounds }) {
    // Within the package, where Node finds the library that stays outside.
    const folder = join(PACKAGE, "node_modules/.cache/bench");
    try {
      await buildCli(folder);
      const main = join(folder, "dist/main.js");
      const runs = Math.ceil((RUNS * rounds) / 5);
      const figures: Figure[] = [
        { name: "cli: node alone", unit: "ms", ...timed(["-e", "0"], runs) },
        {
          name: "cli: letterslot --help",
          unit: "ms",
          ...timed([main, "--help"], runs),
          target: { at_most: HELP_MS },
        },
        { name: "cli: letterslot messages --help", unit: "ms", ...timed([main, "messages", "--help"], runs) },
      ];
      return { figures };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Runs Node so often, after a run that fills the cache of compiled code. */
function timed(args: string[], runs: number): ReturnType<typeof summary> {
  const durations: number[] = [];
  for (let run = 0; run <= runs; run++) {
    const began = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    if (run > 0) durations.push(performance.now() - began);
  }
  return summary(durations);
}

/** The program as it is published, but with our own packages built in, which a published one finds built. */
async function buildCli(folder: string): Promise<void> {
  await build({
    entryPoints: { main: join(PACKAGE, "src/main.js") },
    outdir: join(folder, "dist"),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22",
    external: ["commander", "@letterslot/server", "@letterslot/server/*", "@letterslot/mcp"],
    plugins: [PATHS_PLUGIN, DATA_PLUGIN],
    logLevel: "error",
  });
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ type: "module", version: "0.0.0", engines: { node: ">=22.19" } }),
  );
}
