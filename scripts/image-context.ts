import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";
import { ROOT } from "./run-command.ts";

/** What the Dockerfile copies: the packed packages of the image, and the package.json that installs them. */
export const IMAGE_CONTEXT = join(ROOT, "test-output/image");

/** The most that the image may add to its base, in bytes. */
export const MAX_IMAGE_BYTES = 90 * 1024 * 1024;

interface Manifest {
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** The versions that were tested, of the libraries of which the lockfile has one. */
function lockedVersions(): Record<string, string> {
  const { packages } = parse(readFileSync(join(ROOT, "pnpm-lock.yaml"), "utf8")) as { packages: object };
  const versions = Map.groupBy(
    Object.keys(packages).map((key) => ({
      name: key.slice(0, key.lastIndexOf("@")),
      version: key.slice(key.lastIndexOf("@") + 1),
    })),
    ({ name }) => name,
  );
  return Object.fromEntries(
    [...versions].flatMap(([name, [one, ...others]]) =>
      one === undefined || others.length > 0 ? [] : [[name, one.version]],
    ),
  );
}

/** Writes `IMAGE_CONTEXT` from the packed packages: the server, each part that a setting may need, and what they depend on. */
export function writeImageContext(
  packages: readonly { name: string; directory: string; tarball: string }[],
): void {
  const manifests = new Map(
    packages.map(({ name, directory }) => [
      name,
      JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as Manifest,
    ]),
  );
  const names = new Set(["@letterslot/server"]);
  const locked = lockedVersions();
  const libraries: Record<string, string> = {};
  for (const name of names) {
    const { dependencies = {}, peerDependencies = {} } = manifests.get(name) ?? {};
    for (const each of Object.keys({ ...dependencies, ...peerDependencies }))
      if (manifests.has(each)) names.add(each);
    // npm installs no optional peer by itself, such as the provider's own library.
    for (const [each, version] of Object.entries(peerDependencies))
      if (!manifests.has(each)) libraries[each] = locked[each] ?? version;
  }
  rmSync(IMAGE_CONTEXT, { recursive: true, force: true });
  mkdirSync(join(IMAGE_CONTEXT, "packages"), { recursive: true });
  const tarballs = packages.filter(({ name }) => names.has(name));
  for (const { tarball } of tarballs)
    copyFileSync(tarball, join(IMAGE_CONTEXT, "packages", basename(tarball)));
  const packed = Object.fromEntries(
    tarballs.map(({ name, tarball }) => [name, `file:packages/${basename(tarball)}`]),
  );
  const dependencies = { ...packed, ...libraries };
  const overrides = Object.fromEntries(Object.entries(locked).filter(([name]) => !(name in dependencies)));
  const manifest = { private: true, type: "module", dependencies, overrides };
  writeFileSync(join(IMAGE_CONTEXT, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}
