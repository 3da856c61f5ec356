import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Options } from "tsup";

type EsbuildPlugin = NonNullable<Options["esbuildPlugins"]>[number];

/** The file beside the build with the licences of bundled code. */
export const FILE = "THIRD-PARTY-NOTICES.txt";

/** Writes the licence of every library of the bundle into `directory`. Throws for one that has none. */
export function noticesPlugin(directory: string): EsbuildPlugin {
  return {
    name: "third-party-notices",
    setup(build) {
      build.initialOptions.metafile = true;
      build.onEnd(({ metafile }) => {
        mkdirSync(directory, { recursive: true });
        writeFileSync(join(directory, FILE), noticesOf(Object.keys(metafile?.inputs ?? {})));
      });
    },
  };
}

/** The licences of the libraries that these files are of. Throws for one that has none. */
export function noticesOf(paths: readonly string[]): string {
  const folders = paths.flatMap((path) => packageFolder(path) ?? []);
  const notices = [...new Set(folders)].map(noticeOf).toSorted();
  return `${notices.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

/** The folder of the installed package that a file belongs to. */
function packageFolder(path: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
}

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    name: string;
    version: string;
    license?: string;
  };
  const file = readdirSync(folder).find((each) => /^(licen[cs]e|copying)/i.test(each));
  const text = file === undefined ? license : readFileSync(join(folder, file), "utf8").trim();
  if (text === undefined) throw new Error(`${name} is built in, but has no licence`);
  return `${name} ${version} (${license ?? "see below"})\n\n${text}`;
}
