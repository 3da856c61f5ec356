import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ROOT, run } from "../run-command.ts";

/** A copy of the workspace that may be modified. */
export interface WorkspaceCopy {
  folder: string;
  remove(): void;
}

/**
 * Copies the working tree's tracked and untracked files, without ignored ones. Installed packages are shared;
 * our own packages resolve each other within the copy.
 */
export async function copyWorkspace(): Promise<WorkspaceCopy> {
  const folder = mkdtempSync(join(tmpdir(), "letterslot-guards-"));
  const listed = await run("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], {
    quiet: true,
  });
  for (const path of listed.split("\0").filter((each) => each !== "" && existsSync(join(ROOT, each)))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(ROOT, path), join(folder, path), { verbatimSymlinks: true });
  }
  for (const modules of globSync("{.,bench,packages/*,examples/*}/node_modules", { cwd: ROOT }))
    linkModules(folder, modules);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Links in node_modules are relative, so those to our packages point into the copy; only the store is shared. */
function linkModules(folder: string, modules: string): void {
  mkdirSync(join(folder, modules), { recursive: true });
  for (const entry of readdirSync(join(ROOT, modules))) {
    const [from, to] = [join(ROOT, modules, entry), join(folder, modules, entry)];
    if (entry === ".pnpm") symlinkSync(from, to);
    else cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  }
}
