import { globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { ROOT } from "./run-command.ts";

/** The fields of a package.json that locate the project. */
export interface Manifest {
  private?: boolean;
  repository?: unknown;
  homepage?: string;
  bugs?: unknown;
  [field: string]: unknown;
}

/**
 * A published package's manifest with `repository`, `homepage` and `bugs`, which npm shows and provenance needs;
 * all follow from the project's address, such as `https://github.com/owner/name`. Without one they are left out.
 */
export function withLinks(manifest: Manifest, directory: string, address: string | undefined): Manifest {
  const { repository: _repository, homepage: _homepage, bugs: _bugs, ...others } = manifest;
  if (address === undefined) return others;
  const links = {
    homepage: `${address}/tree/main/${directory}#readme`,
    bugs: `${address}/issues`,
    repository: { type: "git", url: `git+${address}.git`, directory },
  };
  const fields = Object.entries(others);
  const after = fields.findIndex(([name]) => name === "license") + 1;
  return Object.fromEntries([...fields.slice(0, after), ...Object.entries(links), ...fields.slice(after)]);
}

/**
 * A published package's README with links that work wherever it is read, such as on npm: those into the repository begin
 * with the project's address.
 */
export function withAbsoluteLinks(readme: string, directory: string, address: string): string {
  return readme.replace(
    /\]\((?:(\.[^)]*)|https?:\/\/[^)]*?\/blob\/main\/([^)]*))\)/g,
    (_link, relative: string | undefined, path: string | undefined) =>
      `](${address}/blob/main/${path ?? posix.join(directory, relative ?? "")})`,
  );
}

/** The manifests and READMEs of published packages that aren't as the root's `repository` says, with the text to write. */
export function outdatedFiles(): { path: string; text: string }[] {
  const { repository: address } = read("package.json") as { repository?: string };
  return [...outdatedManifests(address), ...(address === undefined ? [] : outdatedReadmes(address))];
}

function outdatedReadmes(address: string): { path: string; text: string }[] {
  return globSync("packages/*/package.json", { cwd: ROOT })
    .filter((path) => read(path).private !== true)
    .flatMap((manifest) => {
      const path = join(dirname(manifest), "README.md");
      const text = readFileSync(join(ROOT, path), "utf8");
      const wanted = withAbsoluteLinks(text, dirname(manifest), address);
      return wanted === text ? [] : [{ path, text: wanted }];
    });
}

function outdatedManifests(address: string | undefined): { path: string; text: string }[] {
  return globSync("packages/*/package.json", { cwd: ROOT })
    .toSorted()
    .flatMap((path) => {
      const manifest = read(path);
      const wanted = withLinks(manifest, dirname(path), address);
      const same = JSON.stringify(wanted) === JSON.stringify(manifest);
      return manifest.private === true || same
        ? []
        : [{ path, text: `${JSON.stringify(wanted, null, 2)}\n` }];
    });
}

function read(path: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, path), "utf8")) as Manifest;
}

if (import.meta.main) {
  for (const { path, text } of outdatedFiles()) {
    writeFileSync(join(ROOT, path), text);
    console.log(`${path} written; format it with npx -y pnpm@12 format`);
  }
}
