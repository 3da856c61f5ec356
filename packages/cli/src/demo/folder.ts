import { lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PREFIX = "letterslot-demo-";

/**
 * Makes a folder for this process alone, named after it. Folders of demos that were killed, so that they could not
 * remove their own, are removed.
 */
export function makeDemoFolder(parent = tmpdir()): string {
  for (const name of readdirSync(parent).filter((each) => each.startsWith(PREFIX))) {
    const path = join(parent, name);
    if (!isRunning(Number(name.slice(PREFIX.length).split("-")[0])) && isOwnFolder(path)) removeFolder(path);
  }
  return mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
}

/** Removes a folder with all that is in it. */
export const removeFolder = (path: string): void => rmSync(path, { recursive: true, force: true });

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** A link, or what another user made under that name, is left alone. */
function isOwnFolder(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && (process.getuid === undefined || stat.uid === process.getuid());
}
