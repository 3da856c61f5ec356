import { chownSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { idsOf } from "./needs.ts";

/** Creates a folder that belongs to `user`; others may enter it. */
export function makeFolder(path: string, user = "root"): string {
  mkdirSync(path, { recursive: true, mode: 0o755 });
  const { uid, gid } = idsOf(user);
  chownSync(path, uid, gid);
  return path;
}

/** Writes a configuration file, and the folder it is in. */
export function writeConfig(path: string, lines: readonly string[]): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  writeFileSync(path, `${lines.join("\n")}\n`, { mode: 0o644 });
}
