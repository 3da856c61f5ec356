import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { CommandFailed, ROOT, run } from "./run-command.ts";

const TARBALLS = join(ROOT, "test-output/packages");
/** Builds that run at the same time: each is a compiler with its own heap. */
const BUILDS_AT_ONCE = 2;

/** The folders of the packages that are published, by name. */
export function publishedPackages(): { name: string; directory: string }[] {
  return globSync("packages/*/package.json", { cwd: ROOT })
    .map((file) => ({ directory: dirname(join(ROOT, file)), manifest: JSON.parse(readFileSync(join(ROOT, file), "utf8")) }))
    .filter(({ manifest }) => manifest.private !== true)
    .map(({ directory, manifest }) => ({ directory, name: manifest.name as string }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/** Builds every published package into its `dist`. Throws on the first that fails, with the builder's words. */
export async function buildPackages(say: (line: string) => void): Promise<void> {
  await eachPackage(async ({ name, directory }) => {
    await run("tsup", [], { cwd: directory, quiet: true });
    say(`${name} built`);
  });
}

/**
 * Packs every published package and checks the tarballs as a reader of the registry would get them: publint for the manifest, attw
 * for the types. Needs a build.
 */
export async function checkTarballs(say: (line: string) => void): Promise<void> {
  rmSync(TARBALLS, { recursive: true, force: true });
  mkdirSync(TARBALLS, { recursive: true });
  await eachPackage(async ({ name, directory }) => {
    if (!existsSync(join(directory, "dist"))) throw new Error(`${name} is not built: run the step "build" first`);
    const tarball = join(TARBALLS, `${name.replace("@", "").replace("/", "-")}.tgz`);
    await run("npx", ["-y", "pnpm@12", "pack", "--out", tarball], { cwd: directory, quiet: true });
    await run("publint", ["run", tarball, "--strict"], { quiet: true });
    await run("attw", [tarball, "--profile", "esm-only", "--no-emoji"], { quiet: true });
    say(`${name} packed and checked`);
  });
}

async function eachPackage(work: (each: { name: string; directory: string }) => Promise<void>): Promise<void> {
  const waiting = publishedPackages();
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      await work(next).catch((error: unknown) => {
        waiting.length = 0;
        if (error instanceof CommandFailed) console.log(error.output);
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: BUILDS_AT_ONCE }, worker));
}
