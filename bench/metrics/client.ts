import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import type { Metric } from "../metric.ts";

/** The size of the client in a web page. */
export const client: Metric = {
  title: "The client in a browser bundle, after gzip",
  async measure() {
    const entry = fileURLToPath(new URL("../../packages/client/src/index.ts", import.meta.url));
    const { outputFiles } = await build({
      entryPoints: [entry],
      bundle: true,
      minify: true,
      format: "esm",
      platform: "browser",
      write: false,
    });
    const bytes = gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length;
    return {
      figures: [{ name: "client: gzip size", unit: "KB", value: bytes / 1024, target: { at_most: 10 } }],
    };
  },
};
