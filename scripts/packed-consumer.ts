import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PublishedPackage } from "./packages.ts";
import { ROOT, run } from "./run-command.ts";

/**
 * Installs the tarballs into an empty project outside the workspace, imports every export of every package on Node, and type-checks
 * the same imports: what a package forgot to declare or to pack is missing there. Throws with the output of what failed.
 */
export async function tryAsConsumer(packages: (PublishedPackage & { tarball: string })[]): Promise<void> {
  const cwd = mkdtempSync(join(tmpdir(), "letterslot-consumer-"));
  const write = (name: string, text: string): void => writeFileSync(join(cwd, name), text);
  const tarballs = Object.fromEntries(packages.map(({ name, tarball }) => [name, `file:${tarball}`]));
  const specifiers = packages.flatMap(exportedSpecifiers);

  write("package.json", JSON.stringify({ name: "consumer", private: true, type: "module", dependencies: tarballs }));
  write("pnpm-workspace.yaml", consumerWorkspace(tarballs));
  write("imports.js", specifiers.map((specifier) => `await import("${specifier}");`).join("\n"));
  write("types.ts", specifiers.map((specifier, index) => `export * as e${index} from "${specifier}";`).join("\n"));
  write("tsconfig.json", JSON.stringify({ compilerOptions: CONSUMER_OPTIONS, include: ["types.ts"] }));

  try {
    await run("npx", ["-y", "pnpm@12", "install", "--prefer-offline"], { cwd, quiet: true });
    await run("node", ["imports.js"], { cwd, quiet: true });
    await run("node", [join(ROOT, "node_modules/ts7/bin/tsc")], { cwd, quiet: true });
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

const CONSUMER_OPTIONS = {
  target: "es2024",
  module: "nodenext",
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
};

/**
 * The packages depend on one another by version: the overrides put the tarballs in the place of these. Without hoisting, a package
 * sees only what it declares.
 */
function consumerWorkspace(tarballs: Record<string, string>): string {
  const overrides = Object.entries(tarballs).map(([name, tarball]) => `  "${name}": "${tarball}"`);
  return ["packages: []", "hoist: false", "overrides:", ...overrides, ""].join("\n");
}

function exportedSpecifiers({ name, directory }: PublishedPackage): string[] {
  const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as { exports: Record<string, string> };
  return Object.keys(manifest.exports).map((path) => name + path.slice(1));
}
