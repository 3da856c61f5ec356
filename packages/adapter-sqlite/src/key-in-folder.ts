import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const KEY_BYTES = 32;

/** The key in `folder/encryption.key`, in hex and readable by this user only; generated the first time. */
export function keyInFolder(folder: string): Uint8Array {
  const path = join(folder, "encryption.key");
  if (!existsSync(path)) {
    const temporary = `${path}.new`;
    writeFileSync(temporary, `${randomBytes(KEY_BYTES).toString("hex")}\n`, { mode: 0o600, flush: true });
    renameSync(temporary, path);
  }
  chmodSync(path, 0o600);
  const key = Buffer.from(readFileSync(path, "utf8").trim(), "hex");
  if (key.length !== KEY_BYTES)
    throw new Error(`${path} is not a key of ${KEY_BYTES} bytes in hex. Restore it from a backup.`);
  return key;
}
