import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { tryAsConsumer } from "./packed-consumer.ts";
import { CommandFailed, ROOT, run } from "./run-command.ts";

const TARBALLS = join(ROOT, "test-output/packages");
/** Builds that run at the same time: each is a compiler with its own heap. */
const BUILDS_AT_ONCE = 2;

/**
 * What a package's scripts may weigh together, in bytes after gzip: the client is made to be carried along.
 */
const MAX_BYTES: Record<string, number> = { "@letterslot/client": 10 * 1024 };

/** A package that goes to the registry: its name, and its folder as an absolute path. */
export interface PublishedPackage {
  name: string;
  directory: string;
}

/**
 * Builds every published package into its `dist`. Throws on the first that fails, after printing the
 * builder's words.
 */
export async function buildPackages(say: (line: string) => void): Promise<void> {
  await eachPackage(async ({ name, directory }) => {
    await run("tsup", [], { cwd: directory, quiet: true });
    checkSize({ name, directory });
    say(`${name} built`);
  });
}

/**
 * Packs every published package and checks the tarballs as a reader of the registry would get them: publint
 * for the manifest, attw for the types, then an installation of all of them together. Needs a build.
 */
export async function checkTarballs(say: (line: string) => void): Promise<void> {
  rmSync(TARBALLS, { recursive: true, force: true });
  mkdirSync(TARBALLS, { recursive: true });
  await eachPackage(async ({ name, directory }) => {
    if (!existsSync(join(directory, "dist")))
      throw new Error(`${name} is not built: run the step "build" first`);
    const tarball = tarballOf(name);
    await run("npx", ["-y", "pnpm@12", "pack", "--out", tarball], { cwd: directory, quiet: true });
    await run("publint", ["run", tarball, "--strict"], { quiet: true });
    await run("attw", [tarball, "--profile", "esm-only", "--no-emoji"], { quiet: true });
    say(`${name} packed and checked`);
  });
  await showing(() =>
    tryAsConsumer(publishedPackages().map((each) => ({ ...each, tarball: tarballOf(each.name) }))),
  );
  say("all installed together, imported and type-checked");
}

function checkSize({ name, directory }: PublishedPackage): void {
  const limit = MAX_BYTES[name] ?? Number.POSITIVE_INFINITY;
  const scripts = globSync("dist/**/*.js", { cwd: directory }).map((file) =>
    readFileSync(join(directory, file)),
  );
  const size = gzipSync(Buffer.concat(scripts)).length;
  if (size > limit) throw new Error(`${name} weighs ${size} bytes after gzip; it may weigh ${limit}`);
}

function publishedPackages(): PublishedPackage[] {
  return globSync("packages/*/package.json", { cwd: ROOT })
    .map((file) => {
      const manifest = JSON.parse(readFileSync(join(ROOT, file), "utf8")) as {
        name: string;
        private?: boolean;
      };
      return {
        name: manifest.name,
        directory: dirname(join(ROOT, file)),
        published: manifest.private !== true,
      };
    })
    .filter(({ published }) => published)
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

function tarballOf(name: string): string {
  return join(TARBALLS, `${name.replace("@", "").replace("/", "-")}.tgz`);
}

/** Works through the packages, BUILDS_AT_ONCE at a time; after a failure no further one is begun. */
async function eachPackage(work: (each: PublishedPackage) => Promise<void>): Promise<void> {
  const waiting = publishedPackages();
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const each = next;
      await showing(() => work(each)).catch((error: unknown) => {
        waiting.length = 0;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: BUILDS_AT_ONCE }, worker));
}

/** Runs `work`; when one of its commands fails, prints what that had written. */
async function showing(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof CommandFailed) console.log(error.output);
    throw error;
  }
}
