import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildSite } from "./docs-site/build.ts";
import { fewAtOnce } from "./few-at-once.ts";
import { writeImageContext } from "./image-context.ts";
import { tryInstalled } from "./installed-server.ts";
import type { PublishedPackage } from "./packed-consumer.ts";
import { tryAsConsumer } from "./packed-consumer.ts";
import { playImage } from "./played-image.ts";
import { CommandFailed, pnpm, ROOT, run } from "./run-command.ts";

const TARBALLS = join(ROOT, "test-output/packages");
/** The maximum total size of a package's scripts, and of single ones that are used alone, in bytes after gzip. */
const MAX_BYTES: Record<string, Record<string, number>> = {
  "@letterslot/server": { "dist/site/site.pack": 5 * 1024 * 1024 },
  "@letterslot/client": { "dist/**/*.js": 14 * 1024, "dist/receipts.js": 3 * 1024 },
  "@letterslot/console": { "dist/site/assets/index-*.js": 90 * 1024, "dist/site/assets/*.css": 30 * 1024 },
};

/**
 * The maximum bytes of a package's own scripts that its main entrance loads at once. What a program may never use (reading
 * mail, its word lists and screening, phone numbers) is imported where it is used; docs/packages.md tells what that saves.
 */
const MAX_BYTES_AT_ONCE: Record<string, number> = { "@letterslot/core": 2_200_000 };

/** The form in which built code would name a file of the repository: a source, or one far above. */
const SOURCE_PATH = /new URL\(\s*"[^"\n]*\.tsx?"|"(?:\.\.\/){3,}(?!node_modules)[^"\n]*"/;

/** The form in which a built file names a worker thread beside it. */
const WORKER_URL = /new URL\(\s*"(\.[^"]+\.js)",\s*import\.meta\.url\s*\)/g;

/** Builds every published package into its `dist`. Throws on the first failure, after printing its output. */
export async function buildPackages(log: (line: string) => void): Promise<void> {
  const site = withFailureOutput(async () =>
    log(`documentation ${(await buildSite()) ? "built" : "as it was"}`),
  );
  // The server waits for it, and gets its error; it may fail before.
  site.catch(() => undefined);
  await forEachPackage(async (each) => {
    const { name, directory } = each;
    // It ships with the documentation.
    if (name === "@letterslot/server") await site;
    await run("tsup", [], { cwd: directory, quiet: true });
    if (existsSync(join(directory, "vite.config.ts")))
      await run(join(directory, "node_modules/.bin/vite"), ["build"], { cwd: directory, quiet: true });
    indentWithTabs(directory);
    checkSize(each);
    checkLoadedAtOnce(each);
    checkWorkers(each);
    log(`${name} built`);
  });
}

/**
 * Packs every published package and checks the tarballs as users would get them: publint checks the manifest,
 * attw the types, and then all are installed together, as docs/getting-started.md says, and as the image has them. Needs
 * a build.
 */
export async function checkTarballs(log: (line: string) => void): Promise<void> {
  const packages = await packPackages(log, async ({ exports, tarball }) => {
    await run("publint", ["run", tarball, "--strict"], { quiet: true });
    // Without exports there are no types to check.
    if (exports > 0) await run("attw", [tarball, "--profile", "esm-only", "--no-emoji"], { quiet: true });
  });
  writeImageContext(packages);
  await withFailureOutput(() =>
    tryInstalled(
      packages.map(({ tarball }) => tarball),
      log,
      [
        async () => {
          await tryAsConsumer(packages);
          log("all installed together, imported and type-checked");
        },
        async () =>
          log(`the Dockerfile played: ${await playImage()} MB beside its base, and its pages are there`),
      ],
    ),
  );
}

/** A package with its tarball, as an absolute path. */
export type PackedPackage = PublishedPackage & { tarball: string };

/** Packs every published package, and calls `check` with each. Needs a build. */
export async function packPackages(
  log: (line: string) => void,
  check: (each: PackedPackage) => Promise<void> = async () => undefined,
): Promise<PackedPackage[]> {
  rmSync(TARBALLS, { recursive: true, force: true });
  mkdirSync(TARBALLS, { recursive: true });
  await forEachPackage(async (each) => {
    const { name, directory } = each;
    if (!existsSync(join(directory, "dist")))
      throw new Error(`${name} is not built: run the step "build" first`);
    const tarball = tarballPath(name);
    await pnpm(["pack", "--out", tarball], { cwd: directory, quiet: true });
    await check({ ...each, tarball });
    log(`${name} packed`);
  });
  return listPublishedPackages().map((each) => ({ ...each, tarball: tarballPath(each.name) }));
}

/** Indents the declarations with tabs: the compiler's four spaces are a quarter of all they take on a user's disk. */
function indentWithTabs(directory: string): void {
  for (const file of globSync("dist/**/*.d.ts", { cwd: directory })) {
    const path = join(directory, file);
    const declarations = readFileSync(path, "utf8");
    writeFileSync(
      path,
      declarations.replace(/^(?: {4})+/gm, (indent) => "\t".repeat(indent.length / 4)),
    );
  }
}

function checkSize({ name, directory }: PublishedPackage): void {
  for (const [files, limit] of Object.entries(MAX_BYTES[name] ?? {})) {
    const scripts = globSync(files, { cwd: directory }).map((file) => readFileSync(join(directory, file)));
    const size = gzipSync(Buffer.concat(scripts)).length;
    if (size === 0 || size > limit)
      throw new Error(`${files} of ${name} have ${size} bytes after gzip; the limit is ${limit}`);
  }
}

function checkLoadedAtOnce({ name, directory }: PublishedPackage): void {
  const limit = MAX_BYTES_AT_ONCE[name];
  if (limit === undefined) return;
  const files = loadedAtOnce(join(directory, "dist/index.js"));
  const size = files.reduce((sum, file) => sum + statSync(file).size, 0);
  if (size > limit)
    throw new Error(
      `an import of ${name} loads ${size} bytes in ${files.length} files; the limit is ${limit}: import() where it is used what reads mail`,
    );
}

/** A built script, and those of its package that it imports, however far, but not by `import()`. */
function loadedAtOnce(entrance: string): string[] {
  const files = new Set([entrance]);
  for (const file of files)
    for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/\b(?:from|import)\s*"(\.[^"]+\.js)"/g))
      files.add(join(dirname(file), path));
  return [...files];
}

/** Checks that each worker thread is where the built code looks for it, and that it looks for nothing of the repository. */
function checkWorkers({ name, directory }: PublishedPackage): void {
  for (const file of globSync("dist/**/*.js", { cwd: directory })) {
    const code = readFileSync(join(directory, file), "utf8");
    const [source] = SOURCE_PATH.exec(code) ?? [];
    if (source !== undefined)
      throw new Error(
        `${file} of ${name} names ${source}: write \`// built: <path>\` behind it in the source`,
      );
    for (const [, worker = ""] of code.matchAll(WORKER_URL)) {
      const path = join(dirname(file), worker);
      if (!existsSync(join(directory, path)))
        throw new Error(`${file} of ${name} starts ${path}, which was not built`);
    }
  }
}

function listPublishedPackages(): PublishedPackage[] {
  return globSync("packages/*/package.json", { cwd: ROOT })
    .map((file) => {
      const manifest = JSON.parse(readFileSync(join(ROOT, file), "utf8")) as {
        name: string;
        private?: boolean;
        exports?: object;
      };
      return {
        name: manifest.name,
        directory: dirname(join(ROOT, file)),
        exports: Object.keys(manifest.exports ?? {}).length,
        published: manifest.private !== true,
      };
    })
    .filter(({ published }) => published)
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

function tarballPath(name: string): string {
  return join(TARBALLS, `${name.replace("@", "").replace("/", "-")}.tgz`);
}

/** Processes the packages, a few at a time; after a failure no further one is started. */
const forEachPackage = (work: (each: PublishedPackage) => Promise<void>): Promise<void> =>
  fewAtOnce(listPublishedPackages().map((each) => () => withFailureOutput(() => work(each))));

/** Runs `work`; if one of its commands fails, prints the command's output. */
export async function withFailureOutput(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof CommandFailed) console.log(error.output);
    throw error;
  }
}
