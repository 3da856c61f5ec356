import { execFile } from "node:child_process";
import { hash, randomUUID } from "node:crypto";
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const PACKAGES = fileURLToPath(new URL("../../packages/", import.meta.url));
const CACHE = fileURLToPath(new URL("../node_modules/.cache/shipped-server/", import.meta.url));
const BUILDER = fileURLToPath(new URL("../programs/build-package.ts", import.meta.url));
const CONCURRENT_BUILDS = 2;

interface Manifest {
  name: string;
  private?: boolean;
  publishConfig?: { exports?: unknown; bin?: unknown };
}

/**
 * The program of the server as users run it: each package built as it is published, in the `node_modules` of a
 * project. Built anew when a source has changed since.
 */
export async function shippedServer(): Promise<string> {
  const folder = join(CACHE, fingerprint());
  if (!existsSync(folder)) {
    const unfinished = join(CACHE, randomUUID());
    await buildProject(unfinished);
    for (const old of readdirSync(CACHE)) if (join(CACHE, old) !== unfinished) remove(join(CACHE, old));
    renameSync(unfinished, folder);
  }
  return join(folder, "node_modules/@letterslot/server/dist/main.js");
}

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** Changes with the sources of the packages. */
function fingerprint(): string {
  const files = globSync("*/{src,testing,conformance}/**/*.*", { cwd: PACKAGES });
  const all = [...files, ...globSync("*/{package.json,tsup.config.ts}", { cwd: PACKAGES })].toSorted();
  const facts = all.map((file) => {
    const { mtimeMs, size } = statSync(join(PACKAGES, file));
    return `${file} ${mtimeMs} ${size}`;
  });
  return hash("sha256", facts.join("\n")).slice(0, 16);
}

/** Builds every published package into a project's `node_modules`. */
async function buildProject(project: string): Promise<void> {
  const waiting = globSync("*/package.json", { cwd: PACKAGES }).map((file) => join(PACKAGES, dirname(file)));
  const work = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await install(next, project);
  };
  try {
    await Promise.all(Array.from({ length: CONCURRENT_BUILDS }, work));
  } catch (error) {
    remove(project);
    throw error;
  }
}

async function install(directory: string, project: string): Promise<void> {
  const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as Manifest;
  if (manifest.private === true) return;
  const target = join(project, "node_modules", manifest.name);
  mkdirSync(join(target, "node_modules"), { recursive: true });
  const { exports, bin } = manifest.publishConfig ?? {};
  writeFileSync(join(target, "package.json"), JSON.stringify({ ...manifest, exports, bin }));
  linkLibraries(join(directory, "node_modules"), join(target, "node_modules"));
  await promisify(execFile)(process.execPath, [BUILDER, join(target, "dist")], { cwd: directory });
}

/** Links a package's installed dependencies, except for our own packages, which stand beside it. */
function linkLibraries(from: string, to: string): void {
  if (!existsSync(from)) return;
  for (const name of readdirSync(from)) {
    if (name.startsWith(".") || name === "@letterslot") continue;
    if (!name.startsWith("@")) symlinkSync(join(from, name), join(to, name));
    else {
      mkdirSync(join(to, name));
      linkLibraries(join(from, name), join(to, basename(name)));
    }
  }
}
